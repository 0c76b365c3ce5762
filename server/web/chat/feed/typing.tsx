import type { JSX } from 'solid-js'
import { placeKey } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import type { Narrow } from '../../state/narrow.js'
import { isMutedPerson } from '../../state/people.js'
import { placeOfNarrow } from '../../state/place.js'
import { useChat } from '../chat.js'
import { nameOf } from '../names.js'
import { useNow } from '../now.js'

/** The users who are typing in this view. */
export function Typing(props: { narrow: Narrow }): JSX.Element {
  const chat = useChat()
  const now = useNow()
  const names = () => {
    const place = placeOfNarrow(props.narrow)
    const isHere = (key: string) => {
      if (place) return key === placeKey(place)
      return props.narrow.kind === 'channel' && key.startsWith(`c${props.narrow.channelId}/`)
    }
    const typists = chat.state.typists.filter(
      one => one.until > now() && isHere(one.place) && !isMutedPerson(chat.state, one.userId),
    )
    return typists.map(one => nameOf(chat.state, one.userId))
  }
  const words = () => {
    const [first, second, ...others] = names()
    if (!first) return ''
    if (!second) return t('feed.isTyping', first)
    return others.length === 0 ? t('feed.areTyping', first, second) : t('feed.severalTyping')
  }
  return (
    <p class="typing" aria-live="polite">
      {words()}
    </p>
  )
}
