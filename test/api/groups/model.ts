import fc from 'fast-check'

/** A minimal model of groups; groups and members are positions in lists. */
export interface ModelGroup {
  readonly members: Set<number>
  readonly subgroups: Set<number>
  deactivated: boolean
}

export interface Change {
  readonly group: number
  readonly add: number[]
  readonly delete: number[]
  readonly add_subgroups: number[]
  readonly delete_subgroups: number[]
}

export type Command =
  | { readonly what: 'change'; readonly change: Change }
  | { readonly what: 'deactivate' | 'reactivate'; readonly group: number }

const groupCount = 6
export const userCount = 5
/** A deactivated user in no group. */
const goneUser = userCount - 1

const group = fc.nat(groupCount - 1)
const few = (ids: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, fc.array(ids, { maxLength: 2 }))
// The last user is rare, because every request that contains it fails.
const user = fc.oneof({ weight: 20, arbitrary: fc.nat(userCount - 2) }, { weight: 1, arbitrary: fc.constant(goneUser) })

export const changes: fc.Arbitrary<Change> = fc.record({
  group,
  add: few(user),
  delete: few(user),
  add_subgroups: few(group),
  delete_subgroups: few(group),
})

export const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: changes.map(change => ({ what: 'change' as const, change })) },
  { weight: 1, arbitrary: group.map(id => ({ what: 'deactivate' as const, group: id })) },
  { weight: 1, arbitrary: group.map(id => ({ what: 'reactivate' as const, group: id })) },
)

export const emptyModel = (): ModelGroup[] =>
  Array.from({ length: groupCount }, () => ({ members: new Set(), subgroups: new Set(), deactivated: false }))

/** All groups reachable from this one, including itself. */
function reached(model: readonly ModelGroup[], from: number, seen = new Set<number>()): Set<number> {
  if (seen.has(from)) return seen
  seen.add(from)
  for (const subgroup of model[from]?.subgroups ?? []) reached(model, subgroup, seen)
  return seen
}

export const membersReached = (model: readonly ModelGroup[], from: number): number[] =>
  ascending([...reached(model, from)].flatMap(id => [...(model[id]?.members ?? [])]))

export const subgroupsReached = (model: readonly ModelGroup[], from: number): number[] =>
  ascending([...reached(model, from)].filter(id => id !== from))

export const isCircular = (model: readonly ModelGroup[]): boolean =>
  model.some((one, id) => [...one.subgroups].some(subgroup => reached(model, subgroup).has(id)))

/** Executes a command; false if it must be refused, and then changes nothing. */
export function obey(model: ModelGroup[], command: Command): boolean {
  const target = model[command.what === 'change' ? command.change.group : command.group] as ModelGroup
  switch (command.what) {
    case 'change':
      return change(model, command.change)
    case 'deactivate': {
      if (target.deactivated || model.some(one => one.subgroups.has(command.group))) return false
      target.deactivated = true
      return true
    }
    case 'reactivate': {
      target.deactivated = false
      return true
    }
  }
}

function change(model: ModelGroup[], { group: id, ...change }: Change): boolean {
  if (Object.values(change).every(list => list.length === 0)) return false
  const before = model[id] as ModelGroup
  const after = { members: new Set(before.members), subgroups: new Set(before.subgroups) }
  const isThere = (subgroup: number) => !(model[subgroup] as ModelGroup).deactivated
  if (change.add.some(one => one === goneUser || before.members.has(one))) return false
  for (const one of change.add) after.members.add(one)
  if (change.delete.some(one => one === goneUser || !after.members.has(one))) return false
  for (const one of change.delete) after.members.delete(one)
  if (change.add_subgroups.some(one => !isThere(one) || before.subgroups.has(one) || reached(model, one).has(id)))
    return false
  for (const one of change.add_subgroups) after.subgroups.add(one)
  if (change.delete_subgroups.some(one => !isThere(one) || !after.subgroups.has(one))) return false
  for (const one of change.delete_subgroups) after.subgroups.delete(one)
  model[id] = { ...before, ...after }
  return true
}

export const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)
