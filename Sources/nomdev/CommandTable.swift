import Arguments

/// Everything `nomdev` can be told. One file per command adds a row here.
enum CommandTable {
  static let root: Command = Command(
    "nomdev", abstract: "Migrate, seed and check PostgreSQL databases with row level security.",
    discussion: """
      Works on the project in the current folder: its migrations, seeds and checks. Without any set-up it uses a \
      private PostgreSQL of its own, on this machine only. Projects of the Supabase CLI work as they are.
      """,
    options: Global.all,
    exitNotes: [],
    subcommands: [migrate, seed, state, assert, diff, squash, stack, doctor, completions, man, help, version])
}
