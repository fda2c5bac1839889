// Which properties each part of a card of schema 2.0 may have. Others are refused: "传入不支持的属性将报错".
// https://open.feishu.cn/document/uAjLw4CM/ukzMukzMukzM/feishu-cards/card-json-v2-structure
// https://open.feishu.cn/document/uAjLw4CM/ukzMukzMukzM/feishu-cards/card-json-v2-breaking-changes-release-notes
// Written `name:shape[]!`: a property, the shape of its value (anything when left out), a list of them, and whether it must be there.

const placed = 'tag! element_id margin'
const laid = 'direction padding horizontal_spacing horizontal_align vertical_spacing vertical_align elements:element[]'

/** Parts that are no elements. */
const partShapes: Readonly<Record<string, string>> = {
  card: 'schema! config:config card_link:link header:header body:body',
  config:
    'streaming_mode streaming_config:streaming summary:summary locales enable_forward update_multi width_mode use_custom_translation enable_forward_interaction style',
  streaming: 'print_frequency_ms print_step print_strategy',
  summary: 'content i18n_content',
  link: 'url android_url ios_url pc_url',
  header: 'title:text! subtitle:text text_tag_list:textTag[] i18n_text_tag_list template icon:icon padding',
  textTag: 'tag! element_id text:text! color',
  body: laid,
  text: 'tag! content! i18n_content text_size text_color text_align lines element_id icon:icon',
  icon: 'tag! token color img_key size',
  confirm: 'title:text! text:text!',
  behavior: 'type! value default_url android_url ios_url pc_url behavior',
  option: 'text:text icon:icon value multi_url',
  panelHeader:
    'title:text background_color vertical_align padding position width icon:icon icon_position icon_expanded_angle',
  border: 'color corner_radius',
  tableColumn: 'name! display_name data_type width horizontal_align vertical_align format date_format',
  tableHeader: 'text_align text_size background_style text_color bold lines',
}

/** Elements, by their tag. */
const elementShapes: Readonly<Record<string, string>> = {
  markdown: `${placed} content! i18n_content text_align text_size icon:icon`,
  div: `${placed} text:text! icon:icon width`,
  hr: placed,
  img: `${placed} img_key! i18n_img_key alt:text title:text preview transparent corner_radius scale_type size`,
  img_combination: `${placed} combination_mode! combination_transparent corner_radius img_list!`,
  person: `${placed} user_id! size show_avatar show_name style`,
  person_list: `${placed} persons! drop_invalid_user_id lines show_avatar show_name size icon:icon`,
  chart: `${placed} chart_spec! aspect_ratio color_theme preview height`,
  table: `${placed} columns:tableColumn[]! rows! row_height row_max_height page_size freeze_first_column header_style:tableHeader`,
  audio: `${placed} file_key audio_id show_time fill style duration`,
  button: `${placed} type size width text:text icon:icon hover_tips:text disabled disabled_tips:text confirm:confirm behaviors:behavior[] name required form_action_type`,
  input: `${placed} name required placeholder:text default_value disabled width max_length input_type show_icon rows auto_resize max_rows label:text label_position value behaviors:behavior[] confirm:confirm fallback`,
  overflow: `${placed} width options:option[]! value confirm:confirm`,
  select_static: `${placed} name type required disabled placeholder:text initial_option initial_index width options:option[]! confirm:confirm behaviors:behavior[]`,
  multi_select_static: `${placed} name type required disabled placeholder:text selected_values width options:option[]! confirm:confirm behaviors:behavior[]`,
  select_person: `${placed} name type required disabled placeholder:text initial_option width options confirm:confirm behaviors:behavior[]`,
  date_picker: `${placed} name required disabled placeholder:text initial_date width value confirm:confirm behaviors:behavior[]`,
  picker_time: `${placed} name required disabled placeholder:text initial_time width value confirm:confirm behaviors:behavior[]`,
  picker_datetime: `${placed} name required disabled placeholder:text initial_datetime width value confirm:confirm behaviors:behavior[]`,
  checker: `${placed} name checked disabled text:text overall_checkable button_area padding confirm:confirm behaviors:behavior[] hover_tips:text disabled_tips:text checked_style pc_display_rule`,
  column_set: `${placed} flex_mode horizontal_spacing horizontal_align background_style columns:column[]! action`,
  column: `${placed} width weight background_style ${laid} action`,
  collapsible_panel: `${placed} expanded background_color header:panelHeader! border:border ${laid}`,
  form: `${placed} name! ${laid} confirm:confirm`,
  interactive_container: `${placed} width height background_style has_border border_color corner_radius behaviors:behavior[] hover_tips:text disabled disabled_tips:text confirm:confirm ${laid}`,
}

export type Field = {
  readonly name: string
  readonly shape: string | undefined
  readonly isList: boolean
  readonly isRequired: boolean
}

export type Shape = ReadonlyMap<string, Field>

function readShape(text: string): Shape {
  return new Map(
    text.split(' ').map((word) => {
      const [, name = '', shape, list, required] = /^(\w+)(?::(\w+))?(\[\])?(!)?$/.exec(word) ?? []
      return [name, { name, shape, isList: list !== undefined, isRequired: required !== undefined }]
    }),
  )
}

function readShapes(texts: Readonly<Record<string, string>>): ReadonlyMap<string, Shape> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, readShape(text)]))
}

const parts = readShapes(partShapes)
const elements = readShapes(elementShapes)

export function partShape(name: string): Shape {
  const found = parts.get(name)
  if (found === undefined) throw new Error(`The simulator knows no part ${name} of cards`)
  return found
}

/** Undefined for a tag that cards of schema 2.0 do not have, such as `action` and `note`. */
export function elementShape(tag: string): Shape | undefined {
  return elements.get(tag)
}
