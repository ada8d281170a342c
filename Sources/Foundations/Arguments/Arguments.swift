// The module's first file; see its siblings.
