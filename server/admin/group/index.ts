import type { Command } from 'commander'
import type { Ctx } from '../../ctx.js'
import { groupNamed } from '../../lookups/find-group.js'
import { isNamed, membersOf } from '../../policies/groups.js'
import { groupSettings } from '../../presenters/group-object.js'
import { AdminError } from '../admin-error.js'
import { type Json, leaf, noun } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print, table } from '../output.js'

/** The commands `group …`. */
export function addGroupCommands(program: Command): void {
  const group = noun(program, 'group', 'User groups.')
  leaf(group, 'list', 'Lists user groups; role:… are those of roles.', ['group list', 'group list --deactivated'])
    .option('--deactivated', 'also deactivated ones', false)
    .action(async ({ json, deactivated }: { deactivated: boolean } & Json) => {
      const groups = await onOrganization(async ({ directory }) =>
        [...directory.groups.values()]
          .filter(isNamed)
          .filter(one => deactivated || !one.deactivated)
          .sort((a, b) => a.id - b.id)
          .map(one => ({
            group_id: one.id,
            name: one.name,
            description: one.description,
            members: membersOf(directory, one.id).length,
            is_system_group: one.is_system_group,
            deactivated: one.deactivated,
          })),
      )
      const lines = table(
        {
          id: one => one.group_id,
          name: one => one.name,
          members: one => one.members,
          state: one => (one.deactivated ? 'deactivated' : 'active'),
          description: one => one.description,
        },
        groups,
      )
      print(json, groups, lines)
    })

  leaf(group, 'show', 'Shows a user group with all its members.', ['group show role:administrators', 'group show 12'])
    .argument('<group>', 'its name or its id')
    .action(async (name: string, { json }: Json) => {
      const shown = await onOrganization(async ctx => {
        const one = groupOf(ctx, name)
        const { id: group_id, description, deactivated, members, subgroups } = one
        const all_members = membersOf(ctx.directory, group_id)
        const settings = groupSettings(ctx.directory, one)
        return { group_id, name: one.name, description, deactivated, members, subgroups, all_members, ...settings }
      })
      print(json, shown, fields(shown))
    })
}

/** A group by name or id. @throws {AdminError} */
export function groupOf({ directory }: Ctx, name: string) {
  const group = /^\d{1,9}$/.test(name) ? directory.groups.get(Number(name)) : groupNamed(directory, name)
  if (!isNamed(group)) throw new AdminError(`There is no user group ${name}.`, 'NOT_FOUND')
  return group
}
