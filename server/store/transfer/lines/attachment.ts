import { z } from 'zod'
import { flag, id, lineType, text, time } from '../line-type.js'

export const attachmentLine = lineType(
  'attachment',
  {
    table: 'attachments',
    order: 'id',
    doc: 'An uploaded file. Its bytes are in the store of files, which an export does not contain.',
  },
  {
    id: id('Its id.'),
    user_id: id('The uploader.'),
    path_id: text('Its path in the store of files.'),
    name: text('Its name as given.'),
    content_type: text('Its content type as given.'),
    size: z.int().min(0).describe('Its size in bytes.'),
    created: time('When it was uploaded.'),
    width: z.int().nullable().describe('Pixels of a picture with thumbnails, as it is shown; otherwise null.'),
    height: z.int().nullable().describe('The same for its height.'),
    frames: z.int().nullable().describe('Frames of such a picture: more than one if it is animated.'),
    has_thumbnails: flag('Its thumbnails are in the store of files.'),
    // Exports of 0.1.0 have no such field.
    awaits_size: flag('It may be a picture whose size a worker has not read yet.').default(false),
    thumbnail_due: time('When a worker makes thumbnails, or renders messages again.').nullable(),
    thumbnail_attempts: z.int().describe('How often workers have begun to do so.'),
  },
)

export const attachmentUseLine = lineType(
  'attachment_use',
  { table: 'attachment_uses', order: 'attachment_id, message_id', doc: 'A message uses an uploaded file.' },
  { attachment_id: id('The file.'), message_id: id('The message.') },
)
