-- Whether new subscriptions begin with push notifications switched on, whatever the subscriber's setting for all channels.
alter table channels add column default_push_notifications boolean not null default false;
