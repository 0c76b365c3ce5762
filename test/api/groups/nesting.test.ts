import fc from 'fast-check'
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { deactivate } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import {
  ascending,
  type Change,
  type Command,
  changes,
  commands,
  emptyModel,
  isCircular,
  type ModelGroup,
  membersReached,
  obey,
  subgroupsReached,
  userCount,
} from './model.js'
import { type Loose, makeGroup, peopleOf } from './scene.js'

const server = await startServer(t)
const [owner] = await peopleOf(server)('owner')
const users = await Promise.all(Array.from({ length: userCount }, () => server.person()))
await deactivate(server.sql, (users.at(-1) as { id: number }).id)
const userId = (place: number) => (users[place] as { id: number }).id

/** The server's groups, one per group of the model. */
class Groups {
  private constructor(private readonly ids: readonly number[]) {}

  static async make(model: readonly ModelGroup[]): Promise<Groups> {
    return new Groups(await Promise.all(model.map(() => makeGroup(owner))))
  }

  id(place: number): number {
    return this.ids[place] as number
  }

  obey(command: Command) {
    if (command.what === 'change') return this.change(command.change)
    const path = `/user_groups/${this.id(command.group)}`
    return command.what === 'deactivate' ? owner.post(`${path}/deactivate`) : owner.patch(path, { deactivated: false })
  }

  change({ group, ...change }: Change) {
    return owner.post(`/user_groups/${this.id(group)}/members`, {
      add: change.add.map(userId),
      delete: change.delete.map(userId),
      add_subgroups: change.add_subgroups.map(one => this.id(one)),
      delete_subgroups: change.delete_subgroups.map(one => this.id(one)),
    })
  }

  /** The server's answer about a group, as positions of the model. */
  async ask(place: number, what: 'members' | 'subgroups', params: Loose): Promise<number[]> {
    const answer = await owner.ok('GET', `/user_groups/${this.id(place)}/${what}`, params)
    const places = what === 'members' ? users.map(one => one.id) : this.ids
    return ascending(answer[what].map((id: number) => places.indexOf(id)))
  }

  async list(): Promise<ModelGroup[]> {
    const { user_groups } = await owner.ok('GET', '/user_groups', { include_deactivated_groups: true })
    return this.ids.map(id => {
      const { members, direct_subgroup_ids, deactivated } = user_groups.find((one: Loose) => one.id === id)
      return {
        members: new Set<number>(members.map((one: number) => users.findIndex(({ id: known }) => known === one))),
        subgroups: new Set<number>(direct_subgroup_ids.map((one: number) => this.ids.indexOf(one))),
        deactivated,
      }
    })
  }
}

t.test('after random changes, groups are what a simple model computes', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 5, maxLength: 25 }), async wanted => {
      const model = emptyModel()
      const groups = await Groups.make(model)
      for (const command of wanted) {
        const { status } = await groups.obey(command)
        if ((status === 200) !== obey(model, command)) {
          throw new Error(`${JSON.stringify(command)} was answered with ${status}`)
        }
        if (status !== 200 && status !== 400) throw new Error(`status ${status}`)
      }
      await compare(groups, model)
    }),
    { numRuns: 15 },
  )
  t.pass()
})

t.test('requests at the same time leave groups without circles, and clients in step', async t => {
  const ear = await Listener.start(server.ctx, owner)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(changes, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), async rounds => {
      const groups = await Groups.make(emptyModel())
      for (const round of rounds) {
        const answers = await Promise.all(round.map(one => groups.change(one)))
        if (answers.some(({ status }) => status !== 200 && status !== 400)) throw new Error('neither done nor refused')
        const found = await groups.list()
        if (isCircular(found)) throw new Error('a group contains itself')
        await compare(groups, found)
      }
    }),
    { numRuns: 10 },
  )
  await ear.inStep(t)
})

async function compare(groups: Groups, model: readonly ModelGroup[]): Promise<void> {
  if (isCircular(model)) throw new Error('a group contains itself')
  const found = await groups.list()
  for (const [id, one] of model.entries()) {
    const listed = found[id] as ModelGroup
    same('members as listed', listed.members, one.members)
    same('subgroups as listed', listed.subgroups, one.subgroups)
    if (listed.deactivated !== one.deactivated) throw new Error('deactivated')
    if (one.deactivated) continue
    same('direct members', await groups.ask(id, 'members', { direct_member_only: true }), one.members)
    same('members', await groups.ask(id, 'members', {}), membersReached(model, id))
    same('direct subgroups', await groups.ask(id, 'subgroups', { direct_subgroup_only: true }), one.subgroups)
    same('subgroups', await groups.ask(id, 'subgroups', {}), subgroupsReached(model, id))
  }
}

function same(what: string, found: Iterable<number>, wanted: Iterable<number>): void {
  const [left, right] = [ascending(found).join(), ascending(wanted).join()]
  if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`)
}
