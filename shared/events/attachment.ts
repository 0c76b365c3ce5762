import { z } from 'zod'
import { attachment } from '../resources/attachment.js'
import { defineEvent } from './event.js'

const upload_space_used = z.int().describe('Bytes of all files of the organization.')

export const attachmentAdd = defineEvent('attachment/add', {
  doc: 'The receiver has uploaded a file.',
  fields: z.object({ attachment, upload_space_used }),
})

export const attachmentUpdate = defineEvent('attachment/update', {
  doc: 'Other messages than before use a file of the receiver.',
  fields: z.object({ attachment, upload_space_used }),
})

export const attachmentRemove = defineEvent('attachment/remove', {
  doc: 'A file of the receiver is gone.',
  fields: z.object({ attachment: z.object({ id: z.int() }), upload_space_used }),
})
