-- Its user no longer knew the channel since the subscription ended: should the channel come back into sight, it is to its
-- user as one that it never subscribed to, which is all that its clients can make of the event that tells of it.
alter table subscriptions add column is_forgotten boolean not null default false check (not (is_active and is_forgotten));
