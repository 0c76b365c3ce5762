import type { ChatState, WireEvent } from './chat-state.js'

/** `realm`: settings of the organization changed. */
export function organizationChanged(state: ChatState, event: WireEvent): void {
  const data = event.data as { name?: string } | undefined
  if (data?.name !== undefined) state.organization = data.name
}
