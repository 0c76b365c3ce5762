import { stillPath } from '../../presenters/custom-emoji.js'
import type { FileOwner } from '../../store/backup/named-files.js'
import { keysOf } from '../files/picture-of.js'
import { pictureKey } from './stored-picture.js'

/** The keys of the files that a row of the database names. */
export function keysOfOwner(owner: FileOwner): string[] {
  const { path } = owner
  switch (owner.kind) {
    case 'attachment':
      return owner.attachment.has_thumbnails ? keysOf(owner.attachment) : [path]
    case 'avatar':
      return [`${path}.png`, `${path}-medium.png`].map(pictureKey)
    case 'organization picture':
      return [pictureKey(`${path}.png`)]
    case 'emoji':
      return [path, ...(owner.isAnimated ? [stillPath(path)] : [])].map(pictureKey)
    case 'part':
      return [path]
  }
}
