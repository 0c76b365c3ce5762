import { type JSX, Show } from 'solid-js'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'

/** The number of unread messages, or of other things where it is plain; hidden if zero. */
export function Count(props: { of: number; isQuiet?: boolean; isMention?: boolean; isPlain?: boolean }): JSX.Element {
  return (
    <Show when={props.of > 0}>
      <span class="count" classList={{ quiet: props.isQuiet || props.isPlain, mention: props.isMention }}>
        {props.of > 999 ? '999+' : numberText(props.of)}
        {props.isPlain || <span class="unseen">{t('sidebar.unread')}</span>}
      </span>
    </Show>
  )
}
