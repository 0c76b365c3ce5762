import type { Command } from 'commander'
import { offerReactivation } from '../../actions/closing/reactivate-organization.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

/** The commands `organization …`. */
export function addOrganizationCommands(program: Command): void {
  const organization = noun(program, 'organization', 'The organization as a whole.')
  leaf(
    organization,
    'reactivate',
    'Mails to the owners of a deactivated organization a link that activates it again, good for a day, and prints it.',
    ['organization reactivate'],
  )
    .addOption(yes())
    .action(async ({ json, yes }: { yes: boolean } & Json) => {
      await confirmed(yes, 'Mail the owners a link that lets all accounts sign in again?')
      const offered = await onOrganization(offerReactivation)
      if (!offered) throw new AdminError('The organization is active, or its data were deleted.', 'NOT_DEACTIVATED')
      print(json, offered, [offered.link, `mailed to ${offered.mailed} owners`])
    })
}
