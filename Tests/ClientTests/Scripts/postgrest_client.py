"""Drives Nom Nom's tables with Supabase's own Python client, unmodified, as anon, as a signed-in user and as
the service role. Arguments: the REST URL, publishable key, secret key, two users' tokens and ids."""
import sys
from postgrest import CountMethod, ReturnMethod, SyncPostgrestClient
from postgrest.exceptions import APIError

URL, PUBLISHABLE, SECRET, ADA_TOKEN, ADA, BOB_TOKEN, BOB = sys.argv[1:8]


def client(key, token=None):
    return SyncPostgrestClient(
        URL, headers={"apikey": key, "Authorization": "Bearer " + (token or key)})


anon, service = client(PUBLISHABLE), client(SECRET)
ada, bob = client(PUBLISHABLE, ADA_TOKEN), client(PUBLISHABLE, BOB_TOKEN)
passed = 0


def check(what, condition):
    global passed
    if not condition: sys.exit("failed: " + what)
    passed += 1


def refused(what, code, action):
    try:
        action()
    except APIError as error:
        check(f"{what}: {error.code} instead of {code}", error.code == code)
        check(f"{what}: without a message", bool(error.message))
    else:
        sys.exit("failed: not refused: " + what)


# insert and return
dish = ada.table("dishes").insert({"name": "Tacos", "normalized_name": "tacos"}).execute().data[0]
check("an insert gives the row back", dish["name"] == "Tacos" and dish["owner_id"] == ADA)
rows = ada.table("dishes").insert(
    [{"name": "Soup", "normalized_name": "soup"}, {"name": "Pie", "normalized_name": "pie"}]).execute().data
check("several rows at once", sorted(row["name"] for row in rows) == ["Pie", "Soup"])
silent = ada.table("dishes").insert(
    {"name": "Rice", "normalized_name": "rice"}, returning=ReturnMethod.minimal).execute()
check("an insert without an answer", silent.data == [])
refused("a second dish of that name", "23505",
        lambda: ada.table("dishes").insert({"name": "tacos", "normalized_name": "tacos"}).execute())
refused("a dish for somebody else", "42501",
        lambda: ada.table("dishes").insert({"name": "X", "normalized_name": "x", "owner_id": BOB}).execute())
refused("a blank name", "23514",
        lambda: ada.table("dishes").insert({"name": " ", "normalized_name": "y"}).execute())

# select, filters, order, ranges, counts
names = [row["name"] for row in ada.table("dishes").select("name").order("name").execute().data]
check("rows in order", names == ["Pie", "Rice", "Soup", "Tacos"])
check("the last first", ada.table("dishes").select("name").order("name", desc=True).limit(1).execute().data
      == [{"name": "Tacos"}])
page = ada.table("dishes").select("name", count=CountMethod.exact).order("name").range(1, 2).execute()
check("a page with its count", page.count == 4 and [row["name"] for row in page.data] == ["Rice", "Soup"])
head = ada.table("dishes").select("*", count=CountMethod.exact, head=True).execute()
check("a count alone", head.count == 4)
check("a planned count", ada.table("dishes").select("*", count=CountMethod.planned).execute().count is not None)
check("eq and in", len(ada.table("dishes").select("id").in_("name", ["Pie", "Soup", "Cake"]).execute().data) == 2)
check("ilike", len(ada.table("dishes").select("id").ilike("name", "%i%").execute().data) == 2)
check("or", len(ada.table("dishes").select("id").or_("name.eq.Pie,normalized_name.eq.tacos").execute().data) == 2)
check("not", len(ada.table("dishes").select("id").not_.eq("name", "Pie").execute().data) == 3)
check("contains", ada.table("dishes").select("id").contains("tags", ["hot"]).execute().data == [])
check("somebody else sees nothing", bob.table("dishes").select("id").execute().data == [])
refused("anon may not look", "42501", lambda: anon.table("dishes").select("id").execute())
check("the service role sees all", len(service.table("dishes").select("id").execute().data) == 4)

# embedding
meal = ada.table("meals").insert({"dish_id": dish["id"], "notes": "good"}).execute().data[0]
joined = ada.table("meals").select("notes, dishes(name, profiles(display_name))").execute().data
check("an embedded row in an embedded row",
      joined == [{"notes": "good", "dishes": {"name": "Tacos", "profiles": {"display_name": "Ada"}}}])
back = ada.table("dishes").select("name, meals!inner(notes)").execute().data
check("the other way round", back == [{"name": "Tacos", "meals": [{"notes": "good"}]}])
renamed = ada.table("meals").select("dish:dishes(title:name)").execute().data
check("under other names", renamed == [{"dish": {"title": "Tacos"}}])
refused("no such relationship", "PGRST200", lambda: ada.table("meals").select("device_tokens(id)").execute())

# upsert, update, delete
tags = service.table("dishes").upsert(
    {"owner_id": ADA, "name": "Pie", "normalized_name": "pie", "tags": ["sweet"]},
    on_conflict="owner_id,normalized_name").execute().data
check("an upsert changes the row", tags[0]["tags"] == ["sweet"])
kept = service.table("dishes").upsert(
    {"owner_id": ADA, "name": "Pie!", "normalized_name": "pie"}, on_conflict="owner_id,normalized_name",
    ignore_duplicates=True).execute().data
check("an upsert that ignores leaves it", kept == [])
changed = ada.table("dishes").update({"tags": ["hot"]}).eq("id", dish["id"]).execute().data
check("an update gives the row back", changed[0]["tags"] == ["hot"])
check("nobody else's row is updated",
      bob.table("dishes").update({"tags": []}).eq("id", dish["id"]).execute().data == [])
refused("the owner is fixed", "42501",
        lambda: ada.table("dishes").update({"owner_id": BOB}).eq("id", dish["id"]).execute())
refused("an update of everything", "21000", lambda: ada.table("dishes").update({"tags": []}).execute())
gone = ada.table("dishes").delete().eq("normalized_name", "rice").execute().data
check("a delete gives the row back", [row["name"] for row in gone] == ["Rice"])
check("nobody else's row is deleted", bob.table("dishes").delete().eq("id", dish["id"]).execute().data == [])

# one row, maybe one row, csv, functions, errors
check("single", ada.table("dishes").select("name").eq("id", dish["id"]).single().execute().data == {"name": "Tacos"})
refused("single of several", "PGRST116", lambda: ada.table("dishes").select("name").single().execute())
check("maybe_single of none",
      ada.table("dishes").select("name").eq("name", "Cake").maybe_single().execute() is None)
check("csv", ada.table("dishes").select("name,tags").eq("id", dish["id"]).csv().execute().data
      == "name,tags\nTacos,{hot}")
check("a function", ada.rpc("greet", {"name": "Ada"}).execute().data == "hello Ada")
check("a function by GET", ada.rpc("greet", {"name": "Ada"}, get=True).execute().data == "hello Ada")
check("a function that gives rows", len(ada.rpc("my_dishes", {}).execute().data) == 3)
refused("no such function", "PGRST202", lambda: ada.rpc("greets", {"nam": 1}).execute())
refused("no such table", "PGRST205", lambda: ada.table("dishs").select("*").execute())
refused("no such column", "42703", lambda: ada.table("dishes").select("nope").execute())
refused("a broken token", "PGRST301", lambda: client(PUBLISHABLE, "broken").table("dishes").select("id").execute())

print(f"{passed} checks passed")
