// The grammar of the rules language, in which memory models are written (docs/reference/rules.md).
//
// The grammar has one rule for each precedence level; the rule for the loosest operator comes first. Each rule matches
// a flat list of operands, so long chains do not nest. Only brackets, `if` and `try` recurse; find_bad_token() limits
// their depth (cat_tokens.cpp).
grammar Cat;

model
  : title=STRING? statement* EOF
  ;

statement
  : 'include' path=STRING                                                   # include
  | 'option' name=NAME '=' word ('|' word)* meaning=STRING                  # option
  | 'mapping' name=NAME ('if' option=NAME '=' value=word)?                  # mapping
  | 'order' name=NAME 'on' expression                                       # order
  | 'let' 'rec' recursive ('and' recursive)*                                # letRec
  | 'let' name=NAME ('(' parameter+=NAME (',' parameter+=NAME)* ')')? '=' expression phrase=STRING?  # let
  | 'flag' test expression 'as' name=NAME                                   # flag
  | test expression ('as' name=NAME)? phrase=STRING?                        # axiom
  ;

recursive
  : name=NAME '=' expression phrase=STRING?
  ;

test
  : negated='~'? kind=('acyclic' | 'irreflexive' | 'empty')
  ;

// A value of an option. The value `on` is allowed, although `on` is also a keyword of `order`.
word
  : NAME
  | 'on'
  ;

expression
  : 'if' option=NAME '=' value=word 'then' yes=expression 'else' no=expression  # choice
  | 'try' first=expression 'with' second=expression                            # attempt
  | union_                                                                     # plain
  ;

union_      : sequence (operators+='|' sequence)* ;
sequence    : difference (operators+=';' difference)* ;
difference  : intersection (operators+='\\' intersection)* ;
intersection: product (operators+='&' product)* ;
product     : prefix (operators+='*' prefix)* ;
prefix      : operators+='~'* postfix ;
postfix     : primary operators+=('+' | '*' | '?' | '^-1')* ;

primary
  : function=NAME '(' expression (',' expression)* ')'  # call
  | NAME                                                # name
  | '0'                                                 # empty
  | '[' expression ']'                                  # identity
  | '(' expression ')'                                  # parentheses
  ;

NAME: [A-Za-z_] [A-Za-z0-9_.-]* ;
STRING: '"' ~["\r\n]* '"' ;
COMMENT: '(*' .*? '*)' -> skip ;
LINE_COMMENT: '//' ~[\r\n]* -> skip ;
SPACE: [ \t\r\n]+ -> skip ;

// Invalid tokens. Each kind of invalid token has its own error message.
OPEN_STRING: '"' ~["\r\n]* ;
OPEN_COMMENT: '(*' ;
OTHER: . ;
