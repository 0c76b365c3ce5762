-- Names of the personal settings that the user itself has changed: an administrator's change may pass over those.
alter table users add column edited_settings text[] not null default '{}';
