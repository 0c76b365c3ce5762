import { type Component, lazy } from 'solid-js'

/** A component in a file of its own, which the browser loads when it is first shown. */
export const later = <Props extends object>(load: () => Promise<Component<Props>>) =>
  lazy(async () => ({ default: await load() }))
