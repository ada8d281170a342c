#include "CPlatformSQL.h"
