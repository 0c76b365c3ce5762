-- works with 0.1.0
-- The outbox rows that a statement finds after it has waited for its locks: a volatile function reads with a snapshot of its own, and the
-- statement's own snapshot is older than the locks (server/store/organization/outbox.ts). `own`: rows to leave out. `ended`: all
-- transactions below this id had ended.
create function outbox_after(own bigint[], above bigint, most int, out ended bigint, out earlier text)
language plpgsql volatile as $$
begin
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint, (
    select string_agg(id::text, ',')
    from (select id from outbox where id > above and id <> all(own) order by id limit most) rows
  ) into ended, earlier;
end
$$;
