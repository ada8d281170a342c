#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a TOML 1.0 text of `length` bytes.
///
/// On success returns 1 and sets `*text` to JSON in which every value has its place:
/// `{"type": "string|integer|float|boolean|date|array|table", "line": 1, "column": 1, "value": …}`;
/// an array's value is a list of such objects, a table's a list of
/// `{"key": …, "line": …, "column": …, "node": …}` in no particular order; integers, floats and dates
/// are strings of their own digits. On failure returns 0 and sets `*text` to the reason and
/// `*line`, `*column` to its place, counted from 1. `*text` is freed with `ctoml_free`.
int ctoml_to_json(const char *source, unsigned long length, char **text, unsigned *line, unsigned *column);

void ctoml_free(char *text);

#ifdef __cplusplus
}
#endif
