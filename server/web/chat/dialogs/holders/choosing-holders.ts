import { createMemo, createSignal } from 'solid-js'
import { unwrap } from 'solid-js/store'
import type { GroupSettingValue } from '../../../../../shared/resources/group-setting-value.js'
import type { PermissionSetting } from '../../../../../shared/resources/permission-settings.js'
import { t } from '../../../language/language.js'
import { type Holder, holderName, holdersOf, suggestedHolders, valueFor } from '../../../state/holders.js'
import type { Chat } from '../../chat.js'
import { type Choosing, createChoosing } from '../../choosing.js'

/** The groups and people that the user chooses as holders of a permission. */
export interface ChoosingHolders {
  readonly chosen: () => readonly Holder[]
  /** What the last change was, for screen readers. */
  readonly news: () => string
  readonly words: () => string
  typed(words: string): void
  readonly suggestions: Choosing<Holder>
  add(holder: Holder): void
  remove(holder: Holder): void
  /** The value of the permission that the choice means. */
  value(): GroupSettingValue
}

export function createChoosingHolders(
  chat: Chat,
  rule: () => PermissionSetting,
  from: GroupSettingValue,
): ChoosingHolders {
  const [chosen, setChosen] = createSignal<readonly Holder[]>(holdersOf(unwrap(chat.state), from))
  const [words, setWords] = createSignal('')
  const [news, setNews] = createSignal('')
  // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
  const found = createMemo(() => suggestedHolders(unwrap(chat.state), rule(), chosen(), words().trim()))
  const suggestions = createChoosing(found, -1)
  const typed = (text: string) => {
    setWords(text)
    // Without words, Enter takes no suggestion that the user has not gone to.
    suggestions.choose(text.trim() === '' ? -1 : 0)
  }
  return {
    chosen,
    news,
    words,
    typed,
    suggestions,
    add(holder) {
      setChosen([...chosen(), holder])
      setNews(t('holders.added', holderName(chat.state, holder)))
      typed('')
    },
    remove(holder) {
      setChosen(chosen().filter(one => one !== holder))
      setNews(t('holders.removed', holderName(chat.state, holder)))
    },
    value: () => valueFor(unwrap(chat.state), chosen()),
  }
}
