import { searchLanguages } from '../../shared/resources/realm-settings.js'
import type { Ctx } from '../ctx.js'
import { realmSetting } from '../policies/settings.js'
import { languagesOf, type Stems } from '../text/search/stems.js'

const settingOf = ({ directory }: Ctx) => languagesOf(realmSetting(directory, 'search_languages'))

/** The stems that new words get: those of the organization's languages. */
export const wordStems = (ctx: Ctx): Stems => ctx.memory.stemsIn(settingOf(ctx))

/**
 * The stems that a search asks for: until all messages have those of the present languages, also those of the languages before. Undefined:
 * messages may have the words of 0.1.0.
 */
export async function soughtStems(ctx: Ctx): Promise<Stems | undefined> {
  const { before } = await ctx.memory.searchIndex.state()
  if (before === null) return undefined
  const languages: readonly string[] = [...settingOf(ctx), ...before]
  return ctx.memory.stemsIn(searchLanguages.filter(language => languages.includes(language)))
}
