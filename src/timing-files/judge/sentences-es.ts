import type { Sentence } from './sentence.ts';
import type { SentenceName } from './sentences.ts';

/** The Spanish sentences of warnings, with the values of the English sentences. */
export const SPANISH_SENTENCES: Record<SentenceName, Sentence> = {
  bib_column_unclear: 'No está claro qué columna tiene los dorsales.',
  'bib_column_unclear:tables':
    'Hay varias tablas con los mismos nombres una junto a otra: envía el archivo una vez por cada tabla.',
  'bib_column_unclear:none':
    'Ninguna columna se llama como un dorsal, y ninguna otra parece tener dorsales. Si una los tiene, elígela.',
  time_column_unclear: 'No está claro qué columna tiene los tiempos.',
  'time_column_unclear:point':
    'Ninguna columna se llama {"point"}, y el archivo tiene tiempos de otros puntos: {"columns"}. Se leen los tiempos de {"column"}. Elige la columna correcta.',
  'time_column_unclear:moments': 'Elige las columnas de los dorsales y de las horas del día.',
  time_format_unclear: 'Los tiempos se pueden leer de varias formas.',
  'rows_unclear:with':
    'Algunas filas quizá no son resultados: las que tienen {value} en {"column"}.',
  'rows_unclear:blank':
    'Algunas filas quizá no son resultados: las que no tienen nada en {"column"}.',
  'rows_unclear:several': 'Un corredor tiene varias filas, que se distinguen por {"column"}.',
  'status_unclear:cells': 'No está claro si las celdas son estados.',
  'status_unclear:column': 'No está claro si las celdas de la columna {"column"} son estados.',
  'status_unclear:words': 'No se sabe qué significan estas celdas: {"words"}.',
  'status_unclear:words_in_column':
    'No se sabe qué significan estas celdas de la columna {"column"}: {"words"}.',
  no_results_yet: 'La columna de los resultados está vacía.',
  sheet_unclear: {
    one: 'El libro tiene {total} hojas: {"sheets"}. Hay resultados en 1. Si nadie elige, se lee {"sheet"}.',
    other:
      'El libro tiene {total} hojas: {"sheets"}. Hay resultados en {count}. Si nadie elige, se lee {"sheet"}.',
  },
  encoding_unclear:
    'Los nombres de las columnas dependen de la codificación, que el archivo no indica.',
  'time_of_day:late':
    'Todos los tiempos están entre 6 y 24 horas y muy juntos. Comprueba si son horas del día.',
  'time_of_day:gun':
    'Todos los tiempos de pistola pasan en más de una hora a los de chip. Comprueba si son horas del día.',
  'time_of_day:column': 'Los tiempos de {"column"} son horas del día, no tiempos de carrera.',

  rows_fail_alike: 'Fallan {count} de {total} filas.',
  'rows_fail_alike:all': 'Fallan todas las filas: {count}.',
  unknown_status_words: 'Fallan las filas con estos estados: {"words"}. Di qué significa cada uno.',
  'splits_unlikely:question': 'Los tiempos de estas columnas quizá no son parciales: {"columns"}.',
  splits_unlikely: 'Si nadie elige, estas columnas se guardan como parciales: {"columns"}.',
  column_not_read: 'La columna {"column"} no se lee.',
  'column_not_read:failing': {
    one: '1 fila falla, aunque una celda tiene un estado: {"words"} en la columna {"columns"}. Elige la columna del estado.',
    other:
      '{count} filas fallan, aunque una celda tiene un estado: {"words"} en la columna {"columns"}. Elige la columna del estado.',
  },
  'column_not_read:failing_field': {
    one: '1 fila falla, aunque un campo tiene un estado: {"words"} en {"columns"}. Envíalo como estado.',
    other:
      '{count} filas fallan, aunque un campo tiene un estado: {"words"} en {"columns"}. Envíalo como estado.',
  },
  'column_not_read:remark': {
    one: '1 fila se guarda como llegada, con una observación que no se lee: {"words"} en la columna {"columns"}.',
    other:
      '{count} filas se guardan como llegadas, con una observación que no se lee: {"words"} en la columna {"columns"}.',
  },
  no_rows: 'El archivo tiene una cabecera y ninguna fila debajo.',
  'no_rows:where': 'Ninguna fila del archivo cumple {conditions}.',
  gaps_unlikely:
    'El primer tiempo es mucho mayor que los demás, que van subiendo. Comprueba si son diferencias con el ganador.',
  whole_minutes: 'Comprueba si las partes de los tiempos son horas y minutos.',
  over_24_hours: {
    one: '1 fila tiene un tiempo de más de 24 horas.',
    other: '{count} filas tienen un tiempo de más de 24 horas.',
  },
  'over_24_hours:one': 'El tiempo pasa de 24 horas.',
  short_times: 'Los tiempos son de pocos minutos. Comprueba si sus partes son minutos y segundos.',
  zero_time: {
    one: '1 fila tiene un tiempo de cero, que no se guarda.',
    other: '{count} filas tienen un tiempo de cero, que no se guarda.',
  },
  split_after_finish: {
    one: '1 fila tiene un parcial posterior a la llegada.',
    other: '{count} filas tienen un parcial posterior a la llegada.',
  },
  'split_after_finish:one': 'Un parcial no encaja con el tiempo.',
  split_same_for_all: 'Estos parciales son iguales para todos: {"splits"}.',
  gun_below_chip: {
    one: '1 fila tiene un tiempo de pistola menor que el de chip.',
    other: '{count} filas tienen un tiempo de pistola menor que el de chip.',
  },
  'gun_below_chip:one': 'El tiempo de pistola es menor que el de chip.',
  finished_despite_mark: {
    one: '1 fila se guarda como llegada, aunque una celda dice que el corredor no terminó: {"words"} en la columna {"columns"}. Elige la columna del estado.',
    other:
      '{count} filas se guardan como llegadas, aunque una celda dice que el corredor no terminó: {"words"} en la columna {"columns"}. Elige la columna del estado.',
  },
  'finished_despite_mark:field': {
    one: '1 fila se guarda como llegada, aunque un campo dice que el corredor no terminó: {"words"} en {"columns"}. Envíalo como estado.',
    other:
      '{count} filas se guardan como llegadas, aunque un campo dice que el corredor no terminó: {"words"} en {"columns"}. Envíalo como estado.',
  },
  'places_disagree:moved':
    'Los tiempos no siguen los puestos de {"column"}: quizá se movieron filas o columnas.',
  'places_disagree:alone': {
    one: 'El tiempo de 1 fila no encaja con su puesto en {"column"} entre las demás filas.',
    other:
      'Los tiempos de {count} filas no encajan con sus puestos en {"column"} entre las demás filas.',
  },
  'times_disagree:column': {
    one: 'El tiempo de 1 fila no encaja con la columna {"column"}.',
    other: 'Los tiempos de {count} filas no encajan con la columna {"column"}.',
  },
  'times_disagree:splits': {
    one: 'El tiempo de 1 fila no encaja con la suma de los parciales.',
    other: 'Los tiempos de {count} filas no encajan con la suma de los parciales.',
  },
  'unplaced_rows:words': {
    one: '1 fila se guarda como llegada sin puesto; en su lugar tiene {"words"} en la columna {"columns"}. Elige la columna como estado, y di qué significa cada palabra.',
    other:
      '{count} filas se guardan como llegadas sin puesto; en su lugar tienen {"words"} en la columna {"columns"}. Elige la columna como estado, y di qué significa cada palabra.',
  },
  'unplaced_rows:faster': {
    one: '1 fila se guarda como llegada sin puesto en {"column"}, y es más rápida que otras con puesto: quizá tiene el tiempo de su último punto.',
    other:
      '{count} filas se guardan como llegadas sin puesto en {"column"}, y son más rápidas que otras con puesto: quizá tienen el tiempo de su último punto.',
  },
  'unplaced_rows:behind': {
    one: '1 fila se guarda como llegada sin puesto en {"column"}, detrás de todas las que lo tienen. Los resultados le darían un puesto.',
    other:
      '{count} filas se guardan como llegadas sin puesto en {"column"}, detrás de todas las que lo tienen. Los resultados les darían un puesto.',
  },
  placeholder_time: {
    one: '1 fila se guarda como llegada con {"word"}, que quizá significa que no hay resultado. Di qué significa.',
    other:
      '{count} filas se guardan como llegadas con {"word"}, que quizá significa que no hay resultado. Di qué significa.',
  },
  rows_left_out: {
    one: '1 fila queda fuera, por el significado de una palabra: {"words"}.',
    other: '{count} filas quedan fuera, por el significado de una palabra: {"words"}.',
  },
  unknown_fields: {
    one: '1 fila tiene campos que no se leen: {"fields"}.',
    other: '{count} filas tienen campos que no se leen: {"fields"}.',
  },
  'no_race_time:places':
    'Los tiempos bajan cuando los puestos de {"column"} suben: quizá son puntos, vueltas o kilómetros.',
  'no_race_time:pace':
    'Los tiempos de {"column"} son siempre la misma parte de {"whole"}, como un ritmo.',
  repeated_bibs:
    'Repiten un dorsal {count} de {total} filas. Vale la última fila de cada dorsal. Si un corredor tiene varias filas, elige las de la meta.',
  'repeated_bibs:lines':
    'Repiten un dorsal {count} de {total} filas. Vale la última fila de cada dorsal. Si un corredor tiene varias filas, elige las de la meta.',
  'bibs_unlikely:places':
    'Los dorsales parecen puestos, porque cuentan 1, 2, 3, …: comprueba la columna.',
  'bibs_unlikely:years': 'Los dorsales parecen años: comprueba la columna.',
  'bibs_unlikely:ages': 'Los dorsales parecen edades: comprueba la columna.',
  second_header:
    'La línea {line} tiene los nombres de otras columnas. Las filas de debajo se leen con los de la primera cabecera: envía cada tabla en su propio archivo.',
  last_line_cut: 'La última línea no tiene fin de línea: quizá el archivo está incompleto.',
  'last_line_cut:cells':
    'La última línea tiene {cells} celdas y la cabecera {columns}: quizá el archivo está incompleto.',
  times_changed: {
    one: '1 fila tiene un tiempo distinto del de la columna en milisegundos: alguien lo cambió. Se guarda el tiempo, no los milisegundos.',
    other:
      '{count} filas tienen un tiempo distinto del de la columna en milisegundos: alguien lo cambió. Se guarda el tiempo, no los milisegundos.',
  },
  times_left_out: {
    one: '1 fila tiene un tiempo junto a un estado como DNF. Se guarda el estado sin el tiempo.',
    other:
      '{count} filas tienen un tiempo junto a un estado como DNF. Se guarda el estado sin el tiempo.',
  },

  implausible_for_distance: '{times}. Comprueba la columna y el formato de los tiempos.',
  'implausible_for_distance:one': '{distance} en {time}: nadie lo corre así.',
  'implausible_for_distance:fastest':
    'El tiempo es {time}, y el más rápido de los demás es {other}.',
  'implausible_for_distance:fastest_of':
    'El tiempo es {time}, y el más rápido de los demás de {distance} es {other}.',
  'implausible_for_distance:slowest':
    'El tiempo es {time}, y el más lento de los demás es {other}.',
  'implausible_for_distance:slowest_of':
    'El tiempo es {time}, y el más lento de los demás de {distance} es {other}.',
  'implausible_for_distance:gun': 'El tiempo de pistola pasa en {time} al de chip.',
  splits_removed: {
    one: '1 resultado perdería parciales: una subida sustituye todos los parciales de un resultado. Envíalos junto al tiempo, o envía los tiempos de los puntos como pasos.',
    other:
      '{count} resultados perderían parciales: una subida sustituye todos los parciales de un resultado. Envíalos junto al tiempo, o envía los tiempos de los puntos como pasos.',
  },
  'splits_removed:done': {
    one: '1 resultado perdió parciales: una subida sustituye todos los parciales de un resultado. Envíalos junto al tiempo, o envía los tiempos de los puntos como pasos.',
    other:
      '{count} resultados perdieron parciales: una subida sustituye todos los parciales de un resultado. Envíalos junto al tiempo, o envía los tiempos de los puntos como pasos.',
  },
  gun_times_removed: {
    one: '1 resultado perdería el tiempo de pistola: una subida sustituye los dos tiempos de un resultado. Envía el tiempo de pistola junto al de chip.',
    other:
      '{count} resultados perderían el tiempo de pistola: una subida sustituye los dos tiempos de un resultado. Envía el tiempo de pistola junto al de chip.',
  },
  'gun_times_removed:done': {
    one: '1 resultado perdió el tiempo de pistola: una subida sustituye los dos tiempos de un resultado. Envía el tiempo de pistola junto al de chip.',
    other:
      '{count} resultados perdieron el tiempo de pistola: una subida sustituye los dos tiempos de un resultado. Envía el tiempo de pistola junto al de chip.',
  },
  unknown_bibs:
    'De {bibs} dorsales, {known} están inscritos en esta carrera: comprueba la columna del dorsal y la carrera.',
  cancelled_registration: 'Filas de inscripciones canceladas: {count}.',
  status_would_change: 'Filas que cambiarían a llegada otro estado guardado: {count}.',
  second_finish: {
    one: '1 corredor ya tenía una llegada, y la nueva es al menos {times} veces más tarde: quizá pasó otra vez por la meta. Se guarda la nueva.',
    other:
      '{count} corredores ya tenían una llegada, y la nueva es al menos {times} veces más tarde: quizá pasaron otra vez por la meta. Se guarda la nueva.',
  },
  dns_with_passing: {
    one: '1 corredor figura como DNS y un punto lo vio. Si el DNS no era erróneo, el dorsal se leyó mal en el punto.',
    other:
      '{count} corredores figuran como DNS y hay puntos que los vieron. Si el DNS no era erróneo, el dorsal se leyó mal en el punto.',
  },
  old_gun: {
    one: '1 fila tiene el tiempo de antes de corregir la salida. Todos los tiempos nuevos de ese programa cuentan desde la salida antigua.',
    other:
      '{count} filas tienen los tiempos de antes de corregir la salida. Todos los tiempos nuevos de ese programa cuentan desde la salida antigua.',
  },
  'wrong_clock:start_late':
    'Una salida parece puesta {minutes} min tarde: comprueba las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:start_early':
    'Una salida parece puesta {minutes} min antes: comprueba las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:finish_ahead_of_server':
    'El reloj de la meta va unos {minutes} min adelantado respecto al servidor: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:finish_behind_server':
    'El reloj de la meta va unos {minutes} min atrasado respecto al servidor: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:finish_ahead_of_points':
    'El reloj de la meta va unos {minutes} min adelantado respecto a los demás puntos: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:finish_behind_points':
    'El reloj de la meta va unos {minutes} min atrasado respecto a los demás puntos: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:point_ahead_of_server':
    'El reloj del punto {"point"} va unos {minutes} min adelantado respecto al servidor: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:point_behind_server':
    'El reloj del punto {"point"} va unos {minutes} min atrasado respecto al servidor: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:point_ahead_of_points':
    'El reloj del punto {"point"} va unos {minutes} min adelantado respecto a los demás puntos: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'wrong_clock:point_behind_points':
    'El reloj del punto {"point"} va unos {minutes} min atrasado respecto a los demás puntos: comprueba el reloj y las salidas. Corredores que lo muestran: {runners}.',
  'rank_time_missing:chip': {
    one: '1 fila no tiene tiempo de chip, que es el que clasifica: cuenta el de pistola.',
    other: '{count} filas no tienen tiempo de chip, que es el que clasifica: cuenta el de pistola.',
  },
  'rank_time_missing:gun': {
    one: '1 fila no tiene tiempo de pistola, que es el que clasifica: cuenta el de chip.',
    other: '{count} filas no tienen tiempo de pistola, que es el que clasifica: cuenta el de chip.',
  },
  'rank_time_missing:chip_in_categories': {
    one: '1 fila no tiene tiempo de chip, que es el que clasifica en las categorías: cuenta el de pistola.',
    other:
      '{count} filas no tienen tiempo de chip, que es el que clasifica en las categorías: cuenta el de pistola.',
  },
  'rank_time_missing:gun_in_categories': {
    one: '1 fila no tiene tiempo de pistola, que es el que clasifica en las categorías: cuenta el de chip.',
    other:
      '{count} filas no tienen tiempo de pistola, que es el que clasifica en las categorías: cuenta el de chip.',
  },
  'many_changes:results': 'Cambiarían {changed} de {stored} resultados guardados.',
  'many_changes:passings': 'Cambiarían {changed} de {stored} pasos guardados.',
  fewer_rows: 'El archivo tiene {rows} filas; la subida anterior tenía {before}.',
  not_event_day: 'La carrera es el {day}, y ahora es {now}.',
};
