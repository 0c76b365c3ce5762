-- works with 0.1.0
-- How the link of a file is called in the text of its message; '': by its name. Workers of earlier releases call it so.
alter table import_files add column label text not null default '';

-- Groups of archives are objects, too.
alter table import_objects drop constraint import_objects_kind_check;
alter table import_objects add constraint import_objects_kind_check
  check (kind in ('person', 'channel', 'conversation', 'emoji', 'group'));
