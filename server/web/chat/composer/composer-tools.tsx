import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { createEmojiPicking } from '../emoji/emoji-picking.js'
import { useView } from '../view.js'
import type { Composing } from './composing.js'
import { insertText } from './editing.js'
import { CharactersLeft, FormatBar } from './format-bar.js'
import { PreviewButton } from './preview.js'
import { charactersLeft } from './writing.js'

interface ComposerToolsProps {
  box(): HTMLTextAreaElement | undefined
  readonly composing: Composing
  takeFiles(files: FileList | null, event: Event): void
}

/** The buttons below the text box. */
export function ComposerTools(props: ComposerToolsProps): JSX.Element {
  const { text, isPreview, setPreview } = props.composing
  const isEmpty = () => text().trim() === ''
  const left = () => charactersLeft(text())
  const view = useView()
  let chooser: HTMLInputElement | undefined
  const insert = (words: string) => {
    const box = props.box()
    if (box) insertText(box, words)
  }
  const picking = createEmojiPicking(emoji => insert(`:${emoji.emoji_name}: `))
  return (
    <>
      <div class="composer-tools">
        <IconButton icon="clip" label={t('composer.attach')} work={() => chooser?.click()} />
        <input
          type="file"
          class="chooser"
          aria-label={t('composer.files')}
          tabIndex={-1}
          multiple
          hidden
          ref={chooser}
          onChange={event => {
            props.takeFiles(event.currentTarget.files, event)
            event.currentTarget.value = ''
            props.box()?.focus()
          }}
        />
        <IconButton icon="smile" label={t('composer.emoji')} isExpanded={picking.isOpen()} work={picking.toggle} />
        <IconButton icon="mention" label={t('composer.mention')} work={() => insert('@')} />
        <FormatBar box={() => props.box()} isDisabled={isPreview()} />
        <IconButton icon="snippet" label={t('composer.snippets')} work={() => view.open('snippets')} />
        <PreviewButton isPreview={isPreview()} isEmpty={isEmpty()} setPreview={setPreview} />
        <CharactersLeft left={left()} />
        <div class="composer-hint">
          <span>
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintSends')} <kbd>{t('keys.names.shift')}</kbd>{' '}
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintNewLine')}
          </span>
        </div>
        <IconButton
          icon="clock"
          label={t('composer.later')}
          class="send-later"
          isDisabled={isEmpty() || left() < 0}
          opens="dialog"
          work={() => props.composing.sendLater()}
        />
        <button type="submit" class="send" aria-label={t('composer.send')} disabled={isEmpty() || left() < 0}>
          <Icon name="send" />
        </button>
      </div>
      {picking.picker()}
    </>
  )
}
