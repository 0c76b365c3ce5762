import { type JSX, Show } from 'solid-js'
import type { CustomEmoji } from '../../../../shared/resources/custom-emoji.js'

interface EmojiSignProps {
  /** Without it the character is shown. */
  readonly custom?: CustomEmoji | undefined
  readonly character: string
}

/** An emoji as people see it; an animated one is still for those who want less motion. */
export function EmojiSign(props: EmojiSignProps): JSX.Element {
  return (
    <Show when={props.custom} fallback={<span class="emoji">{props.character}</span>}>
      {custom => (
        <picture>
          <Show when={custom().still_url}>
            {still => <source media="(prefers-reduced-motion: reduce)" srcset={still()} />}
          </Show>
          <img class="emoji" src={custom().source_url} alt={`:${custom().name}:`} loading="lazy" />
        </picture>
      )}
    </Show>
  )
}
