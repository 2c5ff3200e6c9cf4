// The body of a CUDA litmus test (docs/reference/language.md). parser/text/header.cpp reads the header, which is free
// text. Words such as `block`, `race` or `Never` are names in this grammar, not keywords, so that a variable may be
// called `block`. The code that reads a rule checks whether the rule allows the name.
grammar Litmus;

// TYPE_NAME: the name of a struct or a CUDA vector type; parser/text/tokens.cpp distinguishes it from other names.
// CONTENTS: the `=` before the braces of an array in a launch. CONTENTS is a separate token, because a grammar that
// allows `=` after any expression gives worse error messages.
tokens { TYPE_NAME, CONTENTS }

program : item* EOF ;

item
  : memoryBlock
  | structure
  | thread
  | fileDeclaration
  | launch
  | tensorMap
  | filter
  | condition
  | expectation
  | suiteLabel
  | detection
  ;

// The part of a PTX litmus file after its columns (docs/reference/ptx-files.md).
tail : (filter | observed | condition | expectation | suiteLabel | detection)* EOF ;
observed : 'locations' '[' (location ';')* location? ']' ';'? ;

// The part of a mixed-proxy .test file after its threads: assert (P) as name;
commands : command* EOF ;
command : ID prop ID name ';' ;

// ---- memory ----------------------------------------------------------------------------------------------------------

memoryBlock : '{' (memoryDeclaration ';')* '}' ;
memoryDeclaration : VOLATILE? ('global' | 'shared') specifier+ declarator (',' declarator)* ;

structure : 'struct' TYPE_NAME '{' (declaration ';')* '}' ';' ;

specifier : TYPE | TYPE_NAME | TENSOR_MAP_TYPE | QUALIFIER | VOLATILE | atomicType | barrierType | clusterSize ;
clusterSize : CLUSTER_SIZE '(' INTEGER ')' ;
barrierType : BARRIER_TYPE ('<' name '>')? ;
atomicType : ATOMIC_TYPE '<' specifier+ pointer* (',' name)? '>' ;
pointer : '*' (QUALIFIER | VOLATILE)* | '&' ;
declarator : pointer* name arrayBound* initializer? ;
arrayBound : '[' expr? ']' ;
initializer : '=' (expr | braces) | braces | '(' (expr (',' expr)*)? ')' ;
// `...` repeats the previous value up to the end of the array.
braces : '{' (bracedValue (',' bracedValue)* (',' '...'?)?)? '}' ;
bracedValue : expr | braces ;

// ---- threads, functions, launches --------------------------------------------------------------------------------------

thread : ID '@' placeWord+ block ;
placeWord : ID INTEGER ;

fileDeclaration : specifier+ pointer* name (function | fileVariables) ;
function : '(' (parameter (',' parameter)*)? ')' (block | ';') ;
parameter : specifier+ pointer* name? arrayBound* ('=' expr)? ;
fileVariables : arrayBound* ('=' (expr | braces) | braces)? (',' declarator)* ';' ;

// A launch with `then` starts after the end of all previous launches. `on gpu 1` names the GPU; the default is GPU 0.
launch : ('then' | 'dependent')? 'launch' name '<<<' expr (',' expr)* '>>>' '(' launchArguments? ')' ('on' placeWord+)? ';' ;
launchArguments : launchArgument (',' launchArgument)* ;
// `int data[4] = 7`, `int[4]`, `data[4]` and `data[4] = 7` create an array. In this grammar, `data[4]` and `data[4] =
// 7` are expressions; argument_of() distinguishes them from other expressions. A list in braces gives the fields of a
// struct.
launchArgument
  : specifier+ pointer* name? arrayBound ('=' expr | CONTENTS braces)?
  | '{' launchArguments? '}'
  | expr (CONTENTS braces)?
  ;

// A tensor map. The user writes `t = tensormap(g, {4, 4}, {2, 2});`; the CUDA reader puts the keyword first.
tensorMap : 'tensormap' name arrayBound? '=' '(' name ',' braces ',' braces ')' ';' ;

// ---- statements --------------------------------------------------------------------------------------------------------

block : '{' statement* '}' ;

statement
  : block
  | 'if' '(' expr ')' statement ('else' statement)?
  | 'while' '(' expr ')' statement
  | 'do' statement 'while' '(' expr ')' ';'
  | 'for' '(' forInit? ';' expr? ';' (expr (',' expr)*)? ')' statement
  | 'switch' '(' expr ')' block
  | 'case' expr ':'
  | 'default' ':'
  | 'break' ';'
  | 'continue' ';'
  | 'return' (expr | braces)? ';'
  | 'atomic' ('(' name ')')? block
  | 'abort' ';'
  | declaration ';'
  | binding ';'
  | expr (',' expr)* ';'
  | ';'
  ;

// auto [a, b] = f();
binding : specifier+ '[' name (',' name)* ']' '=' expr ;

forInit : declaration | expr (',' expr)* ;
declaration : specifier+ declarator (',' declarator)* ;

expr
  : expr op=('++' | '--')
  | expr op='(' (expr (',' expr)*)? ')'
  | expr op='[' expr ']'
  | expr op=('.' | '->') name
  | op=('++' | '--' | '+' | '-' | '!' | '~' | '*' | '&') expr
  | '(' specifier+ pointer* ')' expr
  | expr op=('*' | '/' | '%') expr
  | expr op=('+' | '-') expr
  | expr op=('<<' | '>>') expr
  | expr op=('<' | '<=' | '>' | '>=') expr
  | expr op=('==' | '!=') expr
  | expr op='&' expr
  | expr op='^' expr
  | expr op='|' expr
  | expr op='&&' expr
  | expr op='||' expr
  | <assoc=right> expr op='?' expr ':' expr
  | <assoc=right> expr op=('=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '&=' | '|=' | '^=') expr
  | primary
  ;

primary
  : '(' expr (',' expr)* ')'
  | lambda
  | INTEGER
  | FLOATING
  | VERSION
  | name
  | atomicType '(' expr ')'
  | TYPE '(' expr ')'
  | TYPE_NAME ('(' (expr (',' expr)*)? ')' | braces)
  | ('static_cast' | 'reinterpret_cast' | 'const_cast') '<' specifier+ pointer* '>' '(' expr ')'
  | ('sizeof' | 'alignof') '(' specifier+ pointer* ')'
  | 'sizeof' '(' expr ')'
  | STRING+
  ;

lambda : '[' (capture (',' capture)*)? ']' ('(' (parameter (',' parameter)*)? ')')? QUALIFIER* ('->' specifier+ pointer*)? block ;
capture : '&' name? | '=' | name ;

// ---- condition and expectations ------------------------------------------------------------------------------------------

filter : 'filter' '(' prop ')' ;
condition : quantifier prop ';'? ;
quantifier : ('~' | 'not')? 'exists' | 'forall' ;

// `~` is the older syntax of "not". The operator `~` binds more loosely than comparisons: ~x=1 means ~(x=1).
prop
  : op=('!' | '-') prop
  | prop op=('*' | '/' | '%') prop
  | prop op=('+' | '-') prop
  | prop op=('<<' | '>>') prop
  | prop op=('<' | '<=' | '>' | '>=') prop
  | prop op=('==' | '=' | '!=') prop
  | prop op='&' prop
  | prop op='^' prop
  | prop op='|' prop
  | op=('~' | 'not') prop
  | prop op=('&&' | '/\\') prop
  | prop op=('||' | '\\/') prop
  | propAtom
  ;
propAtom
  : '(' prop ')'
  | INTEGER
  | location
  | '&' location
  ;
location
  : (threadName ':')? name ('[' INTEGER ']')* member*
  | '[' location ']'
  ;
threadName : name | INTEGER ;
// A field of a struct. In a .test file, a member may also be a part of a thread's name: d0.b0.t0.r1.
member : '.' name ('[' INTEGER ']')? ;

expectation : 'expect' modelReference ':' expectItem (',' expectItem)* because? ;
scheduling : 'under' ID (',' ID)* ;
modelReference : (modelName ('(' modelOption (',' modelOption)* ')')? | STRING) scheduling? ;
modelOption : modelName '=' modelName ;
modelName : (name | INTEGER) (('-' | '.' | '/') (name | INTEGER | VERSION))* ;
expectItem : name ('on' location | INTEGER)? ;
suiteLabel : 'label' modelName ':' ID ID? because? ;
detection : 'detect' modelName ':' ID ;
because : 'because' STRING ;

name : ID | 'tensormap' | 'abort' | 'then' | 'dependent' | 'under' | 'locations' | 'global' | 'shared' | 'launch' | 'exists' | 'forall' | 'filter' | 'expect' | 'label' | 'detect' | 'because' | 'on' ;

// ---- tokens --------------------------------------------------------------------------------------------------------------

TYPE
  : 'int' | 'unsigned' | 'signed' | 'long' | 'char' | 'short' | 'bool' | 'void' | 'auto' | 'uint'
  | 'int8_t' | 'int16_t' | 'int32_t' | 'int64_t' | 'uint8_t' | 'uint16_t' | 'uint32_t' | 'uint64_t' | 'size_t'
  | 'intptr_t' | 'uintptr_t' | 'float' | 'double' | '__half' | '__nv_bfloat16'
  ;
VOLATILE : 'volatile' ;
QUALIFIER
  : '__device__' | '__shared__' | '__global__' | '__host__' | '__constant__' | '__managed__' | 'const' | 'constexpr' | 'static'
  | 'extern' | 'inline' | '__forceinline__' | '__noinline__' | '__restrict__' | 'register'
  ;
BARRIER_TYPE : 'cuda::barrier' ;
TENSOR_MAP_TYPE : 'CUtensorMap' ;
CLUSTER_SIZE : '__cluster_dims__' ;
ATOMIC_TYPE : ('cuda::' 'std::'? | 'std::') 'atomic' '_ref'? | 'atomic_ref' ;

// Keywords of CUDA C++ that this language does not support. A check before parsing reports these keywords, to give a
// clear error.
UNSUPPORTED
  : 'goto' | 'class' | 'union' | 'enum' | 'template' | 'typename' | 'typedef' | 'using'
  | 'namespace' | 'new' | 'delete' | 'try' | 'catch' | 'throw' | 'asm'
  ;

INTEGER : ('0' [xX] [0-9a-fA-F]+ | '0' [bB] [01]+ | [0-9]+) [uUlL]* ;
// The number after a dash in the name of a model (ptx-6.0), or a floating-point number in an expression.
VERSION : [0-9]+ '.' [0-9]+ ;
FLOATING
  : ([0-9]+ '.' [0-9]* | '.' [0-9]+) ([eE] [+-]? [0-9]+)? [fFlL]?
  | [0-9]+ [eE] [+-]? [0-9]+ [fFlL]?
  ;
BAD_NUMBER : [0-9] [0-9a-zA-Z_]* ('.' [0-9a-zA-Z_]*)? ;
ID : [a-zA-Z_$] [a-zA-Z0-9_$]* ('::' [a-zA-Z_] [a-zA-Z0-9_]*)* ;
STRING : '"' (~["\\] | '\\' .)* '"' ;

SPACE : [ \t\r\n\f]+ -> skip ;
LINE_COMMENT : '//' ~[\n]* -> skip ;
BLOCK_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'+ '/' -> skip ;
// `(*p)` is a CUDA expression, and `(* text *)` is a comment. The character after the star distinguishes the two.
PAREN_COMMENT : '(*' ([ \t\r\n] | '*') (~'*' | '*'+ ~[*)])* '*'+ ')' -> skip ;
EMPTY_PAREN_COMMENT : '(**)' -> skip ;
INCLUDE : '#' [ \t]* ('include' | 'pragma') ~[\n]* -> skip ;

// Invalid text. Each invalid token is as long as possible, so that lexing takes linear time.
UNTERMINATED_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'* ;
UNTERMINATED_PAREN_COMMENT : '(*' ([ \t\r\n] | '*') (~'*' | '*'+ ~[*)])* '*'* ;
UNTERMINATED_STRING : '"' (~["\\] | '\\' .)* '\\'? ;
DIRECTIVE : '#' ~[\n]* ;
BAD_TEXT : ~[\u0000-\u007F]+ ;
BAD_CHARACTER : . ;
