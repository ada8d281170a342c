// YAML and TOML with positions.
