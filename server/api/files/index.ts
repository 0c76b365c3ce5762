import type { Route } from '../route.js'
import { getAttachments } from './get-attachments.js'
import { getFileTemporaryUrl } from './get-file-temporary-url.js'
import { removeAttachment } from './remove-attachment.js'
import { thumbnailStatus } from './thumbnail-status.js'
import { uploadFile } from './upload-file.js'

export const filesRoutes: readonly Route[] = [
  uploadFile,
  getFileTemporaryUrl,
  thumbnailStatus,
  getAttachments,
  removeAttachment,
]
