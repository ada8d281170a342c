-- What the triggers would have written, had all this happened on its day.
--
-- Suspending the triggers instead would suspend the foreign keys with them. So they ran, and wrote today's
-- notifications about every row that was new to this run. Those go: created_at is the time of this very
-- transaction, which no other notification can have. The ones below stand in their place, with fixed ids.
delete from public.notifications where created_at = now();

-- Older than two weeks: read. Requests are read once they are answered.
insert into public.notifications (id, user_id, kind, title, body, meal_id, party_id, read_at, created_at)
select pg_temp.seed_id('about invite', i.number), i.invitee_id, 'rating_request', 'How was it?',
  format('%s asks what you think of %s', inviter.display_name, m.dish_name), m.id, null::uuid,
  case when i.status <> 'pending' then i.answered end, i.sent
from seed_invite i
join seed_meal m on m.id = i.meal_id
join seed_person inviter on inviter.id = i.inviter_id
where i.invitee_id <> i.inviter_id
union all
select pg_temp.seed_id('about verdict', v.number), m.created_by, 'rating', 'A verdict',
  format('%s says %s to %s', v.speaker, (array['nope', 'ok', 'yes'])[v.reaction + 1], m.dish_name), m.id, null,
  case when m.eaten_on < pg_temp.seed_day() - 14 then v.said + interval '1 day' end, v.said
from seed_verdict v
join seed_meal m on m.id = v.meal_id
where v.recorder_id <> m.created_by
union all
select pg_temp.seed_id('about party', i.number), i.invitee_id, 'party_invite', 'You are invited',
  format('%s invites you to %s', inviter.display_name, y.name), null, y.id,
  case when i.status <> 'pending' then i.answered end, i.sent
from seed_party_invite i
join seed_party y on y.id = i.party_id
join seed_person inviter on inviter.id = i.inviter_id
where i.invitee_id <> i.inviter_id
on conflict (id) do update set
  user_id = excluded.user_id, kind = excluded.kind, title = excluded.title, body = excluded.body,
  meal_id = excluded.meal_id, party_id = excluded.party_id, read_at = excluded.read_at,
  created_at = excluded.created_at;

-- The helpers of the first file. The temporary tables go with the transaction.
drop function pg_temp.seed_id(text, integer);
drop function pg_temp.last_day(text, integer);
drop function pg_temp.seed_day();
