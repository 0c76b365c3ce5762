-- works with 0.1.0
-- It may be a picture; a worker reads its size when it makes the thumbnails. A worker of 0.1.0 takes it for a file that is no picture.
alter table attachments add column awaits_size boolean not null default false;
-- Next is the picture of the account whose pictures took least time; 0.1.0 uses attachments_due.
create index attachments_due_of_account on attachments (user_id, thumbnail_due) where thumbnail_due is not null;
