import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { createEmojiPicking } from '../emoji/emoji-picking.js'
import { useView } from '../view.js'
import { insertText } from './editing.js'
import { CharactersLeft, FormatBar } from './format-bar.js'

interface ComposerToolsProps {
  box(): HTMLTextAreaElement | undefined
  readonly isEmpty: boolean
  /** How many more characters a message may have; below 0 it is too long. */
  readonly left: number
  readonly isPreview: boolean
  setPreview(isPreview: boolean): void
  takeFiles(files: FileList | null, event: Event): void
}

/** The buttons below the text box. */
export function ComposerTools(props: ComposerToolsProps): JSX.Element {
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
        <FormatBar box={() => props.box()} isDisabled={props.isPreview} />
        <IconButton icon="snippet" label={t('composer.snippets')} work={() => view.open('snippets')} />
        <IconButton
          icon="eye"
          label={t('composer.preview')}
          isPressed={props.isPreview}
          isDisabled={props.isEmpty}
          work={() => props.setPreview(!props.isPreview)}
        />
        <CharactersLeft left={props.left} />
        <div class="composer-hint">
          <span>
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintSends')} <kbd>{t('keys.names.shift')}</kbd>{' '}
            <kbd>{t('keys.names.enter')}</kbd> {t('composer.hintNewLine')}
          </span>
        </div>
        <button type="submit" class="send" aria-label={t('composer.send')} disabled={props.isEmpty || props.left < 0}>
          <Icon name="send" />
        </button>
      </div>
      {picking.picker()}
    </>
  )
}
