import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import type { UserSettings } from '../../../shared/resources/user-settings.js'
import { changeOwnSettings } from '../../actions/settings/change-own.js'
import { text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { userSetting } from '../../policies/settings.js'
import { route } from '../route.js'

interface Command {
  readonly setting: 'color_scheme' | 'fluid_layout_width'
  readonly value: UserSettings['color_scheme'] | boolean
  /** Of two commands that undo each other. */
  readonly name: string
  readonly undo: string
}

const dark: Command = { setting: 'color_scheme', value: 2, name: 'night', undo: 'day' }
const light: Command = { setting: 'color_scheme', value: 3, name: 'day', undo: 'night' }
const commands: ReadonlyMap<string, Command> = new Map([
  ['night', dark],
  ['dark', dark],
  ['day', light],
  ['light', light],
  ['fluid-width', { setting: 'fluid_layout_width', value: true, name: 'fluid-width', undo: 'fixed-width' }],
  ['fixed-width', { setting: 'fluid_layout_width', value: false, name: 'fixed-width', undo: 'fluid-width' }],
])

export const zcommand = route({
  operation: 'zcommand',
  method: 'POST',
  path: '/zcommand',
  doc: 'Runs a command that people type in place of a message.',
  allow: anyHuman,
  params: z.object({
    command: text()
      .meta({ enum: ['ping', ...commands.keys()].map(name => `/${name}`) })
      .describe('The command.'),
  }),
  returns: z.object({ msg: z.string().describe('What clients show to the user; empty for `/ping`.') }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    if (!params.command.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.')
    const name = params.command.slice(1)
    if (name === 'ping') return { msg: '' }
    const command = commands.get(name)
    if (!command) throw badRequest(`No such command: ${name}`)
    await ctx.directory.fresh()
    if (userSetting(actor.user, command.setting) === command.value)
      return { msg: `You are still in ${command.name} mode.` }
    await changeOwnSettings(ctx, actor, { settings: { [command.setting]: command.value } })
    return { msg: `Changed to ${command.name} mode! To change back, type /${command.undo}.` }
  },
})
