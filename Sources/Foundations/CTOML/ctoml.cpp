// The one place that sees toml++: its header costs seconds to compile and must not leak into a module map.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include "CTOML.h"

#include <toml++/toml.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

namespace {

// toml++ bounds the nesting of arrays and inline tables, not of dotted keys, and destroys tables
// recursively. A key of this many parts is refused before it is read.
constexpr unsigned deepest_key = 128;

void write_string(std::string &out, std::string_view text) {
  out += '"';
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
  }
  out += '"';
}

void write_place(std::string &out, const toml::source_position &place) {
  out += "\"line\":" + std::to_string(place.line) + ",\"column\":" + std::to_string(place.column);
}

void write_float(std::string &out, double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  write_string(out, digits);
}

template <typename T> void write_date(std::string &out, const T &value) {
  std::ostringstream text;
  text << value;
  write_string(out, text.str());
}

void write_node(std::string &out, const toml::node &node) {
  out += '{';
  write_place(out, node.source().begin);
  out += ",\"type\":";
  switch (node.type()) {
  case toml::node_type::table: {
    out += "\"table\",\"value\":[";
    bool first = true;
    for (const auto &[key, value] : *node.as_table()) {
      if (!first) out += ',';
      first = false;
      out += "{\"key\":";
      write_string(out, key.str());
      out += ',';
      write_place(out, key.source().begin);
      out += ",\"node\":";
      write_node(out, value);
      out += '}';
    }
    out += "]}";
    return;
  }
  case toml::node_type::array: {
    out += "\"array\",\"value\":[";
    bool first = true;
    for (const auto &value : *node.as_array()) {
      if (!first) out += ',';
      first = false;
      write_node(out, value);
    }
    out += "]}";
    return;
  }
  case toml::node_type::string:
    out += "\"string\",\"value\":";
    write_string(out, node.as_string()->get());
    break;
  case toml::node_type::integer:
    out += "\"integer\",\"value\":";
    write_string(out, std::to_string(node.as_integer()->get()));
    break;
  case toml::node_type::floating_point:
    out += "\"float\",\"value\":";
    write_float(out, node.as_floating_point()->get());
    break;
  case toml::node_type::boolean:
    out += "\"boolean\",\"value\":";
    out += node.as_boolean()->get() ? "true" : "false";
    break;
  case toml::node_type::date:
    out += "\"date\",\"value\":";
    write_date(out, node.as_date()->get());
    break;
  case toml::node_type::time:
    out += "\"date\",\"value\":";
    write_date(out, node.as_time()->get());
    break;
  case toml::node_type::date_time:
    out += "\"date\",\"value\":";
    write_date(out, node.as_date_time()->get());
    break;
  default:
    out += "\"string\",\"value\":\"\"";
  }
  out += '}';
}

// The first run of key characters that holds more dots than a key may have parts. Text in quotes counts
// too: no text a project file holds looks like this, and telling it apart would take a second parser.
bool has_deep_key(std::string_view source, unsigned &line) {
  unsigned dots = 0;
  line = 1;
  for (const char c : source) {
    if (c == '.') {
      if (++dots > deepest_key) return true;
    } else if (c == '\n' || c == '=' || c == ',' || c == '{' || c == '[') {
      dots = 0;
      if (c == '\n') ++line;
    }
  }
  return false;
}

int fail(std::string_view reason, char **text) {
  *text = static_cast<char *>(std::malloc(reason.size() + 1));
  if (*text) {
    std::memcpy(*text, reason.data(), reason.size());
    (*text)[reason.size()] = 0;
  }
  return 0;
}

} // namespace

extern "C" int ctoml_to_json(
    const char *source, unsigned long length, char **text, unsigned *line, unsigned *column) {
  *line = *column = 1;
  *text = nullptr;
  const std::string_view view(source, length);
  // No C++ exception may cross into Swift, which would end the process without a word.
  try {
    if (has_deep_key(view, *line)) return fail("a key has more than 128 parts", text);
    *line = 1;
    const toml::parse_result result = toml::parse(view);
    if (!result) {
      *line = result.error().source().begin.line;
      *column = result.error().source().begin.column;
      return fail(result.error().description(), text);
    }
    std::string json;
    write_node(json, result.table());
    fail(json, text);
    return *text ? 1 : 0;
  } catch (...) {
    return fail("the TOML reader ran out of memory", text);
  }
}

extern "C" void ctoml_free(char *text) { std::free(text); }
