#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// Where ships lie.
@interface Harbour : NSObject

@property (nonatomic, copy, readonly) NSString *name;

- (instancetype)initWithName:(NSString *)name;
- (BOOL)admit:(id)ship;

@end

NS_ASSUME_NONNULL_END
