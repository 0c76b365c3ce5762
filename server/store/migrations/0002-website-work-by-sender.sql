-- Workers read websites for the senders of messages in turn. 0: written by a worker of release 0.1.0.
alter table website_work add column sender_id int not null default 0;
update website_work set sender_id = messages.sender_id from messages where messages.id = message_id;
create index website_work_sender on website_work (sender_id, due);

-- Players of services that are not known; they are read again.
delete from websites where website ->> 'kind' = 'video';
