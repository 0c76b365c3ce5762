-- works with 0.1.0
-- The organization's version when the sessions of the user were last ended: a sign-in that began before begins none. Workers of 0.1.0 have
-- no sessions.
alter table users add column sessions_ended bigint not null default 0;
