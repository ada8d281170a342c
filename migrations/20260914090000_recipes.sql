-- Recipes: how a dish is made. One to a dish, read by whoever reads the dish, kept by the dish's owner.

create table public.recipes (
  id uuid primary key default gen_random_uuid(),
  dish_id uuid not null unique references public.dishes (id) on delete cascade,
  servings smallint not null check (servings between 1 and 100),
  minutes smallint not null check (minutes between 1 and 2880),  -- two days: doughs and marinades
  cuisine text not null check (cuisine ~ '\S'),
  -- Lines as a cook writes them. Nothing computes with amounts, and a line survives every way of writing one.
  ingredients text[] not null
    check (cardinality(ingredients) > 0 and array_position(ingredients, null) is null),
  steps text[] not null check (cardinality(steps) > 0 and array_position(steps, null) is null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index recipes_cuisine_idx on public.recipes (cuisine);

create trigger touch before update on public.recipes
  for each row when (old.* is distinct from new.*) execute function private.touch();

-- Row security ------------------------------------------------------------------------------------------
-- The subquery is itself subject to the policies on dishes: the same readers by construction, also after
-- a later file adds some.
alter table public.recipes enable row level security;

create policy "readers of the dish read" on public.recipes for select to authenticated
  using (dish_id in (select d.id from public.dishes d));
create policy "owner of the dish adds" on public.recipes for insert to authenticated
  with check (dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid())));
create policy "owner of the dish changes" on public.recipes for update to authenticated
  using (dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid())))
  with check (dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid())));
create policy "owner of the dish deletes" on public.recipes for delete to authenticated
  using (dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid())));

-- Grants ------------------------------------------------------------------------------------------------
revoke all on public.recipes from public, anon, authenticated, service_role;
grant select on public.recipes to authenticated;
grant insert (id, dish_id, servings, minutes, cuisine, ingredients, steps) on public.recipes to authenticated;
grant update (servings, minutes, cuisine, ingredients, steps) on public.recipes to authenticated;
grant delete on public.recipes to authenticated;
grant select, insert, update, delete on public.recipes to service_role;
