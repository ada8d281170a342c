-- Stand-in for index_advisor: answers in its own form, with an error instead of advice.

create function index_advisor(query text) returns table (
  startup_cost_before jsonb, startup_cost_after jsonb, total_cost_before jsonb, total_cost_after jsonb,
  index_statements text[], errors text[]
)
  language sql volatile
begin atomic
  select null::jsonb, null::jsonb, null::jsonb, null::jsonb, '{}'::text[],
    array['index_advisor is a nomdev stand-in: it gives no advice'];
end;
