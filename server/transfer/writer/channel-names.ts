import { limits } from '../../../shared/limits.js'
import type { Directory } from '../../memory/directory.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { looksInAnyCase } from '../../text/looks.js'

/** Gives the channels of an archive names that no other channel has, or looks like. */
export class ChannelNames {
  private readonly taken = new Set<string>()

  constructor(private readonly directory: Pick<Directory, 'channelLike'>) {}

  name(given: string): string {
    const clean = cleanName(given)
    const plain = clean === '' || !isNameText(clean) ? 'channel' : clean
    for (let n = 1; ; n++) {
      const name = fitted(plain, n === 1 ? '' : ` (${n})`)
      const looks = looksInAnyCase(name)
      if (looks.some(look => this.taken.has(look)) || this.directory.channelLike(name, null)) continue
      for (const look of looks) this.taken.add(look)
      return name
    }
  }
}

function fitted(name: string, suffix: string): string {
  const room = limits.max_stream_name_length - suffix.length
  return cleanName([...name].slice(0, room).join('')) + suffix
}
