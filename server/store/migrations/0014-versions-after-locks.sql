-- works with 0.1.0
-- The organization's version after a statement has waited for its locks: a volatile function reads with a snapshot of its own, as
-- `outbox_after` does (server/store/organization/organization.ts).
create function organization_version_now() returns bigint language plpgsql volatile as $$
begin
  return (select version from organization);
end
$$;

-- As in 0007, but the time does not grow with the number of rows to leave out, which are those of this transaction. `own` makes the
-- statement store these rows first.
create or replace function outbox_after(own bigint[], above bigint, most int, out ended bigint, out earlier text)
language plpgsql volatile as $$
begin
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint, (
    select string_agg(id::text, ',')
    from (select id from outbox where id > above and xid <> pg_current_xact_id() order by id limit most) rows
  ) into ended, earlier;
end
$$;
