import type { FileFault } from './file-faults.ts';

/** The Spanish texts of the faults, for the command and the panel. A parameter of a file is named as a flag. */
export const SPANISH_FAULTS: Record<FileFault, string> = {
  empty: 'El archivo está vacío: no tiene cabecera.',
  fixed_width:
    'El archivo es un texto con columnas alineadas con espacios, que no se pueden separar con seguridad: expórtalo como CSV, o como texto con tabuladores o puntos y coma entre las columnas.',
  one_cell:
    'Las líneas del archivo tienen una sola celda: las columnas se separan con comas, puntos y coma, tabuladores o barras. Expórtalo como CSV. Si hay una tabla debajo de unos títulos, di la línea de su cabecera, como en --header-line 25.',
  too_many_lines: 'El archivo tiene más de {most} líneas.',
  too_many_rows: 'El archivo tiene más de {most} filas: pártelo en varios.',
  stray_quotes: 'Más de {most} líneas hasta la {line} tienen comillas sueltas.',
  row_never_ends:
    'La fila de la línea {line} no termina: una celda entre comillas no se cierra, o la fila tiene más de {most} caracteres. Cierra o quita las comillas, o di la línea de la cabecera con --header-line.',
  bytes_not_utf8:
    'Los bytes del archivo no son utf-8: di otra codificación, como --encoding windows-1252.',
  utf16_damaged:
    'El archivo empieza como UTF-16, pero está dañado o cortado: expórtalo otra vez, mejor como UTF-8.',
  header_line_blank:
    '--header-line es {line}, pero esa línea está en blanco: la siguiente con texto es la {next}.',
  header_line_beyond: '--header-line es {line}, pero el archivo tiene menos líneas.',
  no_bib_column: 'La cabecera no tiene columna de dorsal ({accepted}). Tiene: {names}.',
  no_bib_number:
    'La cabecera no tiene columna de dorsal ({accepted}). El archivo se lee sin cabecera: sus columnas se llaman por número, como #2.',
  no_time_column:
    'La cabecera no tiene columna de tiempo ({accepted}) ni de estado ({statuses}). Tiene: {names}.',
  no_time_number:
    'La cabecera no tiene columna de tiempo ({accepted}) ni de estado ({statuses}). El archivo se lee sin cabecera: sus columnas se llaman por número, como #2.',
  no_point_column:
    'La cabecera no tiene columna de tiempo ({accepted}) ni una columna {point}. Tiene: {names}.',
  no_point_number:
    'La cabecera no tiene columna de tiempo ({accepted}) ni una columna {point}. El archivo se lee sin cabecera: sus columnas se llaman por número, como #2.',
  too_many_columns: 'La cabecera tiene {count} columnas; se aceptan {most} como máximo.',
  column_name_too_long:
    'La cabecera tiene un nombre de columna de {length} caracteres; se aceptan {most} como máximo.',
  nul_in_header:
    'La cabecera tiene caracteres NUL: el archivo no es un CSV en UTF-8, latin-1 o UTF-16 con su marca. Di su codificación, como en --encoding utf-16le.',
  controls_in_header:
    'La columna {column} tiene caracteres de control: el archivo tiene otra codificación. Dila, como en --encoding cp850, --encoding macintosh o --encoding shift_jis, o guarda el archivo como UTF-8.',
  twins_differ:
    'Hay {count} columnas llamadas {name}, y sus celdas difieren en la línea {line}: elige una por su número ({numbers}).',
  export_of_passings:
    'El archivo es una exportación de pasos, no de resultados: léelo como pasos, una vez para cada punto, con --point.',
  export_of_results:
    'El archivo es una exportación de resultados sin una columna {point}: léelo como resultados, sin --point.',
  old_workbook:
    'El archivo no es un CSV. Es un libro de Excel antiguo (.xls) o cifrado: ábrelo y guárdalo como .xlsx sin contraseña, o como CSV.',
  pdf: 'El archivo no es un CSV. Es un PDF: exporta los resultados como CSV.',
  compressed: 'El archivo no es un CSV. Está comprimido: descomprímelo.',
  html: 'El archivo no es un CSV. Es HTML o XML, que algunos programas llaman .xls: ábrelo en una hoja de cálculo y guárdalo como .xlsx o CSV.',
  json: 'El archivo no es un CSV. Es JSON: expórtalo como CSV.',
  json_rows: 'El archivo no es un CSV. Es JSON: expórtalo como CSV.',
  open_document: 'El archivo es una hoja de OpenDocument (.ods): guárdala como .xlsx o CSV.',
  binary_workbook: 'El archivo es un libro binario (.xlsb): guárdalo como .xlsx o CSV.',
  numbers_document: 'El archivo es un documento de Numbers: expórtalo como .xlsx o CSV.',
  text_document: 'El archivo es un documento de texto: guarda su tabla como .xlsx o CSV.',
  archive: 'El archivo es un archivo comprimido: usa el CSV o el libro (.xlsx) que hay dentro.',
  encrypted: 'El archivo está cifrado: guárdalo sin contraseña.',
  workbook_broken: 'El libro está dañado o cortado: ábrelo y guárdalo otra vez como .xlsx.',
  workbook_too_large:
    'El libro es demasiado grande: quita columnas y hojas, o parte los resultados en varios.',
  workbook_encoding: '--encoding no es para un libro, que dice él mismo su codificación.',
  too_many_sheets: 'El libro tiene más de {most} hojas: copia los resultados en un libro aparte.',
  too_many_texts: 'El libro tiene más de {most} textos: copia los resultados en un libro aparte.',
  too_many_formats:
    'El libro tiene más de {most} formatos de número: copia los resultados en un libro aparte.',
  too_many_styles:
    'El libro tiene más de {most} estilos de celda: copia los resultados en un libro aparte.',
  row_too_wide:
    'Una fila del libro tiene una celda detrás de la columna {most}, la última que se lee: quítala.',
  cell_too_long:
    'Una celda del libro tiene más de {most} caracteres, que ninguna hoja de cálculo acepta: acórtala.',
  all_sheets_hidden:
    'Todas las hojas del libro están ocultas: muestra la de los resultados y guarda el libro.',
  sheet_hidden:
    'La hoja {sheet} (--sheet) está oculta: muéstrala en la hoja de cálculo y guarda el libro. Sus hojas: {sheets}.',
  no_such_sheet: 'El libro no tiene la hoja {sheet} (--sheet). Sus hojas: {sheets}.',
  no_sheet_with_table: 'Ninguna hoja del libro tiene una tabla de resultados.',
  unknown_column: 'El archivo no tiene la columna {column} ({parameter}). Sus columnas: {columns}.',
  several_columns:
    'El archivo tiene varias columnas {column} ({parameter}): elige una por su número, #{first} o #{second}.',
  same_column: '{one} y {other} son la misma columna, {column}: di otra para una de las dos.',
  split_is_bib: '--split nombra {column}, que es la columna del dorsal.',
  where_wrong:
    '--where es {condition}: se espera una columna, dos puntos y un valor, como en Punto:Meta. Sus columnas: {columns}.',
  unknown_parameter: 'No existe el parámetro {name}: puede ser {names}.',
  parameter_too_long: '{name} tiene {length} caracteres: se aceptan {most} como máximo.',
  parameter_with_nul: '{name} tiene un carácter NUL: quítalo.',
  parameter_twice: '{name} está más de una vez: dilo una sola.',
  parameter_too_often: '{name} está {count} veces: se aceptan {most} como máximo.',
  point_blank: '--point necesita el nombre de un punto.',
  point_wrong:
    '--point no se puede leer: hace falta un texto corto de una línea, sin caracteres de control.',
  header_line_wrong:
    '--header-line es {value}: se espera el número de una línea hasta la {most}, o 0 para un archivo sin cabecera.',
  encoding_wrong:
    '--encoding es {value}: se espera un nombre como utf-8, windows-1250, windows-1251, cp850, shift_jis o gb18030.',
  bib_format_wrong: '--bib-format es {value}: puede ser {names}.',
  fastest_wrong: '--fastest es {value}: se espera un tiempo, como 20:10:12.',
  time_format_wrong: '--time-format es {value}: puede ser {names}.',
  status_word_wrong:
    '--status-word es {value}: se espera una palabra del archivo, dos puntos y uno de {statuses}, como en Abandono:DNF, o nada, como en pendiente:, si sus filas se quedan sin resultado.',
  status_word_twice: '--status-word da dos significados a {word}: {one} y {other}.',
};
