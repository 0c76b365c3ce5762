import type { ImportChannel, ImportPerson } from '../../shared/resources/import-request.js'
import type { Directory } from '../memory/directory.js'
import { type Checked, checkSource, withSource } from './check.js'
import { Faults } from './faults.js'
import type { SourceLists } from './source.js'
import { digestOf } from './writer/digest.js'
import { isPerson } from './writer/people.js'

/** What people choose from: the lists of an archive, in bounds. */
interface Choosable {
  readonly people: readonly ImportPerson[]
  readonly channels: readonly ImportChannel[]
}

/** What an import would do, and what people can choose before it. */
export interface Plan {
  readonly checked: Checked
  readonly choosable: Choosable
  /** SHA-256 of the archive. */
  readonly digest: string
}

/** Of people, and of channels: an answer has all of them, and a page shows them. */
export const mostChoosable = 2000

/** Reads the whole archive once, as `checkArchive`, and lists its people and channels. @throws {UnusableArchive} */
export async function planArchive(
  file: string,
  directory: Pick<Directory, 'usersByEmail' | 'channelLike'>,
): Promise<Plan> {
  const faults = new Faults()
  const digest = await digestOf(file)
  return withSource(file, faults, async source => {
    const lists = await source.lists(faults)
    const checked = await checkSource(source, { lists, directory, faults, visit: async () => {} })
    return { checked, choosable: choosableOf(lists, directory), digest }
  })
}

function choosableOf({ people, channels }: SourceLists, directory: Pick<Directory, 'usersByEmail'>): Choosable {
  const accountOf = (address: string | null) => {
    const user = address === null ? undefined : directory.usersByEmail.get(address.toLowerCase())
    return isPerson(user) ? user.id : null
  }
  const listed = people.map(
    ({ key, name, address, isBot, isActive }): ImportPerson => ({
      key,
      name,
      email: address,
      is_bot: isBot,
      is_active: isActive,
      user_id: isBot ? null : accountOf(address),
    }),
  )
  // People who could write, and have no account here, are those that people choose accounts for.
  const rank = ({ user_id, is_bot, is_active }: ImportPerson) =>
    Number(user_id !== null) * 4 + Number(is_bot) * 2 + Number(!is_active)
  return {
    people: listed.sort((a, b) => rank(a) - rank(b)).slice(0, mostChoosable),
    channels: channels.slice(0, mostChoosable).map(({ key, name, isPrivate, isArchived, members }) => ({
      key,
      name,
      is_private: isPrivate,
      is_archived: isArchived,
      members: members.length,
    })),
  }
}
