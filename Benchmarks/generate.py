"""Writes 500 migrations of the kinds real projects hold: tables, columns, indexes, policies, functions, inserts."""
import pathlib

KINDS = [
    lambda n: f"create table public.item_{n} (\n  id bigint generated always as identity primary key,\n"
    f"  owner_id uuid not null,\n  name text not null,\n  created_at timestamptz not null default now()\n);\n"
    f"alter table public.item_{n} enable row level security;\n",
    lambda n: f"alter table public.item_{n - 1} add column note_{n} text not null default '';\n",
    lambda n: f"create index item_{n - 2}_owner on public.item_{n - 2} (owner_id);\n",
    lambda n: f"create policy own_{n} on public.item_{n - 3} for select to public\n"
    f"  using (owner_id = '00000000-0000-0000-0000-00000000{n:04d}');\n",
    lambda n: f"create function public.count_{n}() returns bigint language plpgsql stable set search_path = '' as $$\n"
    f"begin\n  -- a comment; with a semicolon\n  return (select count(*) from public.item_{n - 4});\nend $$;\n",
    lambda n: f"insert into public.item_{n - 5} (owner_id, name)\n"
    f"select '00000000-0000-0000-0000-00000000{n:04d}', 'row; ' || i from generate_series(1, 5) as i;\n",
]


def migrations(count=500):
    """(version, name, sql) in order; each refers only to what came before it."""
    for index in range(count):
        kind = index % len(KINDS)
        yield f"2026{index:010d}", f"step_{index}", KINDS[kind](index)


def write(folder, wrap=lambda sql: sql, count=500):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for version, name, sql in migrations(count):
        (folder / f"{version}_{name}.sql").write_text(wrap(sql))
