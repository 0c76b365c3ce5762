import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { CodePaste } from './code-paste.js'

/** Offers to make a code block of a pasted program. */
export function PasteOffer(props: { paste: CodePaste }): JSX.Element {
  return (
    <Show when={props.paste.isOffered()}>
      <p class="paste-offer" role="status">
        <span>{t('composer.looksLikeCode')}</span>
        <button type="button" class="button" onClick={props.paste.accept}>
          {t('composer.makeCode')}
        </button>
        <button type="button" class="icon-button" aria-label={t('composer.leaveIt')} onClick={props.paste.withdraw}>
          <Icon name="close" size={16} />
        </button>
      </p>
    </Show>
  )
}
