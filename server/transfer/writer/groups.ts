import { userGroupAdd } from '../../../shared/events/user-group.js'
import { limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import type { NamedGroup } from '../../policies/groups.js'
import { activeUsers } from '../../policies/users.js'
import { groupObject } from '../../presenters/group-object.js'
import { insertGroup } from '../../store/groups/group-changes.js'
import { setGroup } from '../../store/imports/import-objects.js'
import type { ImportRow } from '../../store/imports/imports.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { truncate } from '../../text/content.js'
import type { Faults } from '../faults.js'
import type { SourceGroup } from '../source.js'
import type { Here } from './here.js'

/**
 * Makes the groups of people of an archive, those first that belong to others. No permission is given to them, so no user gains a right, and a
 * group of the same name that is here already keeps its members.
 */
export async function importGroups(
  ctx: Ctx,
  row: ImportRow,
  { groups, here, faults }: { readonly groups: readonly SourceGroup[]; readonly here: Here; readonly faults: Faults },
): Promise<void> {
  const ids = new Map([...here.groups].map(([key, { id }]) => [key, id]))
  for (const group of innerFirst(groups)) {
    if (ids.size >= budgets.groupsMade.most) {
      faults.add('groups beyond the number that there may be', group.name, String(budgets.groupsMade.most))
      continue
    }
    if (ids.has(group.key)) continue
    await ctx.directory.fresh()
    await ctx.write(async (tx, emit) => {
      const { directory } = ctx
      await directory.hold(tx, 'change')
      const members = group.members.flatMap(key => here.people.get(key) ?? [])
      const draft = {
        name: freeName(directory, group.name),
        description: truncate(group.description.trim(), limits.user_group_description_length, '…'),
        creator_id: null,
        settings: {},
        members: ascending(members.filter(id => directory.users.get(id)?.is_active)),
        subgroups: ascending(group.subgroups.flatMap(key => ids.get(key) ?? [])),
      }
      const version = await bumpVersion(tx)
      const made: NamedGroup = {
        ...draft,
        ...(await insertGroup(tx, draft, version)),
        is_system_group: false,
        deactivated: false,
        version,
      }
      await setGroup(tx, row.id, { key: group.key, id: made.id, name: made.name })
      ids.set(group.key, made.id)
      emit(userGroupAdd, { group: groupObject(directory, made) }, directory.derived(activeUsers))
    })
  }
  await ctx.directory.fresh()
}

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** Of groups that contain each other, one contains the other no more. */
function innerFirst(groups: readonly SourceGroup[]): SourceGroup[] {
  const byKey = new Map(groups.map(one => [one.key, one]))
  const ordered = new Set<SourceGroup>()
  const seen = new Set<string>()
  // Without recursion: a chain can be long.
  for (const first of groups) {
    if (seen.has(first.key)) continue
    const path = [first]
    while (path.length > 0) {
      const group = path.at(-1) as SourceGroup
      seen.add(group.key)
      const inner = group.subgroups.flatMap(key => byKey.get(key) ?? []).find(one => !seen.has(one.key))
      if (inner) path.push(inner)
      else ordered.add(path.pop() as SourceGroup)
    }
  }
  return [...ordered]
}

// Would have a meaning in messages (docs/protocol/names.md#refused-names).
const unnamed = /^(?:\s|@|(?:role|user|stream|channel):)+/

function freeName(directory: Directory, given: string): string {
  const clean = cleanName(given.replaceAll('*', ' ').replace(unnamed, ''))
  const plain = clean === '' || !isNameText(clean) ? 'group' : clean
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : ` (${n})`
    const name = cleanName([...plain].slice(0, limits.user_group_name_length - suffix.length).join('')) + suffix
    if (!directory.groupsByName.has(name) && !directory.groupLike(name, null)) return name
  }
}
