import { type Component, lazy } from 'solid-js'

/** A component in a file of its own, which the browser loads when it is first shown. */
export const later = <Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, Component<Props>>>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))
