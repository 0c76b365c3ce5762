import fc from 'fast-check'
import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'
import { freshName, type Loose } from './scene.js'

/** The holders of a permission: users by number, groups of the scene, or all users of a role. */
type Holders =
  | { who: 'people'; members: number[] }
  | { who: 'group'; group: 0 | 1 }
  | { who: 'role'; role: 'nobody' | 'members' | 'moderators' }

const settings = ['can_administer_channel_group', 'can_subscribe_group', 'can_add_subscribers_group'] as const
const kinds = {
  public: { is_private: false, is_web_public: false },
  private: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
  shared: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
  web: { is_private: false, is_web_public: true },
} as const
type Kind = keyof typeof kinds

/** A command that changes what users may know. Numbers are positions in the scene's lists. */
export type AccessCommand =
  | { do: 'create'; kind: Kind; holders: Holders; setting: (typeof settings)[number]; members: number[] }
  | { do: 'change'; channel: number; kind: Kind }
  | { do: 'permit'; channel: number; setting: (typeof settings)[number]; holders: Holders }
  | { do: 'subscribe' | 'unsubscribe'; channel: number; members: number[] }
  | { do: 'archive' | 'unarchive' | 'rename' | 'post'; channel: number }
  | { do: 'role'; person: number; role: number }
  | { do: 'group'; group: 0 | 1; add: number[]; remove: number[] }

const channel = fc.nat(2)
const person = fc.integer({ min: 1, max: 6 })
const members = fc.uniqueArray(person, { maxLength: 4 })
const setting = fc.constantFrom(...settings)
const kind = fc.constantFrom(...(Object.keys(kinds) as Kind[]))
const group = fc.constantFrom(0 as const, 1 as const)
const holders: fc.Arbitrary<Holders> = fc.oneof(
  members.map(list => ({ who: 'people' as const, members: list })),
  group.map(number => ({ who: 'group' as const, group: number })),
  fc.constantFrom('nobody', 'members', 'moderators').map(role => ({ who: 'role' as const, role }) as Holders),
)
const word = <const Word extends string>(...words: Word[]) => fc.constantFrom(...words)

export const accessCommands: fc.Arbitrary<AccessCommand> = fc.oneof(
  fc.record({ do: word('create'), kind, holders, setting, members }),
  fc.record({ do: word('change'), channel, kind }),
  fc.record({ do: word('permit'), channel, setting, holders }),
  fc.record({ do: word('subscribe', 'unsubscribe'), channel, members }),
  fc.record({ do: word('archive', 'unarchive', 'rename', 'post'), channel }),
  fc.record({ do: word('role'), person, role: fc.constantFrom(200, 300, 400, 600) }),
  fc.record({ do: word('group'), group, add: members, remove: members }),
)

/** Executes commands as the organization's owner; a refused request changes nothing. */
export class Acting {
  private channels: { id: number; name: string }[] = []

  private constructor(
    private readonly owner: Person,
    private readonly people: readonly Person[],
    private readonly groups: Readonly<Record<string, number>>,
  ) {}

  static async begin(server: TestServer, owner: Person, people: readonly Person[]): Promise<Acting> {
    const rows = await server.sql<
      { id: number; name: string }[]
    >`select id, name from user_groups where name is not null`
    const groups = Object.fromEntries(rows.map(row => [row.name, row.id]))
    for (const number of [0, 1]) {
      const made = { name: freshName('group'), description: '', members: [], subgroups: number ? [groups.group0] : [] }
      groups[`group${number}`] = (await owner.ok('POST', '/user_groups/create', made)).group_id
    }
    return new Acting(owner, people, groups)
  }

  /** Later commands use these channels. */
  async newChannels(): Promise<void> {
    this.channels = []
    for (const params of [{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: true }]) {
      await this.create(params, [1, 4, 5])
    }
  }

  get channelIds(): number[] {
    return this.channels.map(channel => channel.id)
  }

  async act(command: AccessCommand): Promise<void> {
    switch (command.do) {
      case 'create': {
        const { is_private: invite_only, ...kind } = kinds[command.kind]
        const value = this.value(command.holders)
        return this.create({ invite_only, ...kind, [command.setting]: value }, command.members)
      }
      case 'change':
        return this.send('PATCH', this.path(command), kinds[command.kind])
      case 'permit':
        return this.send('PATCH', this.path(command), { [command.setting]: { new: this.value(command.holders) } })
      case 'subscribe':
        return this.send('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: this.channel(command).name }],
          principals: this.ids(command.members),
          send_new_subscription_messages: false,
        })
      case 'unsubscribe':
        return this.send('DELETE', '/users/me/subscriptions', {
          subscriptions: [this.channel(command).name],
          principals: this.ids(command.members),
        })
      case 'archive':
        return this.send('DELETE', this.path(command))
      case 'unarchive':
        return this.send('PATCH', this.path(command), { is_archived: false })
      case 'rename': {
        const found = this.channel(command)
        found.name = freshName()
        return this.send('PATCH', this.path(command), { new_name: found.name })
      }
      case 'post':
        return this.send('POST', '/messages', {
          type: 'channel',
          to: this.channel(command).id,
          topic: 'a',
          content: 'Hello',
        })
      case 'role':
        return this.send('PATCH', `/users/${this.people[command.person]?.id}`, { role: command.role })
      case 'group':
        return this.changeMembers(command)
    }
  }

  private async create(params: Loose, subscribers: number[]): Promise<void> {
    const name = freshName()
    const ids = [this.owner.id, ...this.ids(subscribers)]
    const { body } = await this.owner.post('/channels/create', { name, subscribers: ids, ...params })
    if (body.id !== undefined) this.channels.push({ id: body.id, name })
  }

  private async changeMembers({ group, add, remove }: Extract<AccessCommand, { do: 'group' }>): Promise<void> {
    const path = `/user_groups/${this.groups[`group${group}`]}/members`
    // One by one, because the API refuses a list with a user who is already a member, or is none.
    for (const id of this.ids(remove)) await this.send('POST', path, { delete: [id] })
    for (const id of this.ids(add)) await this.send('POST', path, { add: [id] })
  }

  private async send(method: string, path: string, params: Loose = {}): Promise<void> {
    const { status, body } = await this.owner.call(method, path, params)
    if (status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(params)}: ${JSON.stringify(body)}`)
  }

  private channel({ channel }: { channel: number }): { id: number; name: string } {
    return this.channels[channel % this.channels.length] as { id: number; name: string }
  }

  private path(command: { channel: number }): string {
    return `/streams/${this.channel(command).id}`
  }

  private ids(numbers: readonly number[]): number[] {
    return numbers.flatMap(number => this.people[number]?.id ?? [])
  }

  private value(holders: Holders): unknown {
    if (holders.who === 'people') return { direct_members: this.ids(holders.members), direct_subgroups: [] }
    return this.groups[holders.who === 'group' ? `group${holders.group}` : `role:${holders.role}`]
  }
}
