import type { z } from 'zod'
import { type DoNotDisturb, doNotDisturb } from '../resources/do-not-disturb.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

const fields = doNotDisturb

export const doNotDisturbEvent = defineEvent('do_not_disturb', {
  doc: 'The receiver changed when it wants no notifications; the event contains all of it.',
  fields,
  changesDirectory: true,
  apply: applyDoNotDisturb,
})

export function applyDoNotDisturb(
  state: ClientState & { do_not_disturb?: DoNotDisturb },
  { until, quiet_hours }: z.output<typeof fields>,
): void {
  if (state.do_not_disturb) state.do_not_disturb = { until, quiet_hours }
}
