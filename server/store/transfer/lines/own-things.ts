import { z } from 'zod'
import { flag, id, lineType, text, time } from '../line-type.js'

export const linkifierLine = lineType('linkifier', 'linkifiers', 'id', 'A pattern that becomes a link.', {
  id: id('Its id.'),
  pattern: text('Regular expression.'),
  url_template: text('RFC 6570.'),
  example_input: text('What the pattern matches, for example.').nullable(),
  reverse_template: text('How a link is written shorter.').nullable(),
  alternative_url_templates: z.array(z.string()).describe('Other addresses of the same.'),
  position: z.int().describe('Its place among the linkifiers.'),
})

export const snippetLine = lineType('saved_snippet', 'saved_snippets', 'id', 'A text that a user saved to use again.', {
  id: id('Its id.'),
  user_id: id('Whose.'),
  title: text('Its title.'),
  content: text('Markdown.'),
  date_created: time('When.'),
})

export const viewLine = lineType(
  'navigation_view',
  'navigation_views',
  'id',
  'A view that a user made or configured.',
  {
    id: id('Its id.'),
    user_id: id('Whose.'),
    fragment: text('What it shows.'),
    is_pinned: flag('It stands at the top.'),
    name: text('Its name; null: a built-in one.').nullable(),
  },
)

export const deviceLine = lineType('device', 'devices', 'id', 'A device of a user.', {
  id: id('Its id.'),
  user_id: id('Whose.'),
  date_registered: time('When it was registered.'),
})

export const botStorageLine = lineType(
  'bot_storage',
  'bot_storage',
  'bot_id, key_hash',
  'What a bot keeps under a key.',
  {
    bot_id: id('The bot.'),
    key: text('The key.'),
    value: text('The value.'),
  },
)
