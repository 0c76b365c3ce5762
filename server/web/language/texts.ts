import type { en } from './en/index.js'

/** All texts of the pages. English is the pattern: another language has the same keys with the same parameters. */
export type Texts = typeof en
