import { type Component, lazy } from 'solid-js'

/** A component in a file of its own, which the browser loads when it is first shown. */
export const later = <Props extends object>(load: () => Promise<Component<Props>>) =>
  lazy(async () => ({ default: await load() }))

/** The same of one that shows texts of settings, which the browser loads at the same time. */
export const laterWithTexts = <Props extends object>(load: () => Promise<Component<Props>>) =>
  later(async () => {
    const texts = import('../language/settings-language.js').then(one => one.openSettingsTexts())
    const [component] = await Promise.all([load(), texts])
    return component
  })
